import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { testDatabase } from "../../testing/test-database.ts";
import { makeOrganisation, randomAddress, registerPerson, testApp } from "../../testing/test-app.ts";
import { findProvenPerson } from "../hosted-login/find-proven-person.ts";
import { countDaily } from "../attempts/count-daily.ts";
import { registerUser } from "./register-user.ts";

const app = testApp();
const database = testDatabase();
const person = (email: string) => ({ firstName: "Robin", lastName: "Tester", email, password: `pass ${randomUUID()}` });
const setUp = "what the set-up link holds";
const mailed: string[] = [];
const register = (email: string, domains: string[], invitation?: string) =>
  registerUser(database, { ...person(email), invitation }, "10.9.8.7", {
    registration: { domains },
    setUpHash: createHash("sha256").update(setUp).digest(),
    confirmByMail: async (_tx, to) => void mailed.push(to),
  });
const proven = (email: string, domains: string[]) =>
  database.withTransaction({ system: "test" }, (tx) =>
    findProvenPerson(
      tx,
      {
        issuer: "https://id.example",
        subject: randomUUID(),
        verifiedEmail: email,
        saysWhetherVerified: true,
        firstName: "R",
        lastName: "T",
      },
      { domains },
    ),
  );

test("one network can register at most 500 accounts a day, however slowly", async () => {
  const ip = randomAddress();
  const before = { by: ip, most: 500, sentence: "" };
  for (let account = 0; account < 499; account++) await countDaily(database.withTransaction, "register", before);
  const ask = () => app.ask("POST", "/v1/register", { ip, body: person(`${randomUUID()}@example.com`) });
  expect((await ask()).statusCode).toBe(201);
  const refused = await ask();
  expect(refused.statusCode).toBe(429);
  expect(refused.json().detail).toBe("Your network has created too many accounts today. Try again in 24 hours.");
});

test("with invitation only, the holder of the mailed link can register, and nobody else", async () => {
  const owner = await registerPerson(app);
  await makeOrganisation(app, owner);
  const email = `${randomUUID()}@example.org`;
  await expect(register(email, [])).rejects.toThrow("by invitation only");
  await expect(register(email, [], "guessed")).rejects.toThrow("for another address or has expired");
  await expect(proven(email, [])).rejects.toThrow("by invitation only");
  await app.ask("POST", "/v1/invitations", { token: owner.token, body: { email, role: "member" } });
  const token = /invitation#([\w-]+)/.exec((await app.mailTo(email)).text)?.[1] ?? "";
  // An address alone doesn't prove anything when a password is set. A login that has verified it does.
  await expect(register(email, [])).rejects.toThrow("by invitation only");
  // A link doesn't either, with a different address.
  const stranger = `${randomUUID()}@example.org`;
  await expect(register(stranger, [], token)).rejects.toThrow("for another address or has expired");
  expect(await register(email, [], token)).toEqual({ id: expect.any(String) });
  await expect(register(email, [], token)).rejects.toThrow("already registered");
  const second = `${randomUUID()}@example.org`;
  await app.ask("POST", "/v1/invitations", { token: owner.token, body: { email: second, role: "member" } });
  expect(await proven(second, [])).toMatchObject({ became: "registered" });
});

test("with domains, their addresses can register once proven by mail, and longer or shorter domains can't", async () => {
  const email = `${randomUUID()}@example.com`;
  expect(await register(email, ["example.com"])).toMatchObject({ confirmationMailed: true });
  expect(mailed).toContain(email);
  for (const domain of ["evil-example.com", "sub.example.com", "example.com.evil.org"])
    await expect(register(`${randomUUID()}@${domain}`, ["example.com"])).rejects.toThrow(
      "Only addresses at example.com",
    );
});

test("the set-up link creates no account once somebody has registered", async () => {
  await registerPerson(app);
  await expect(register(`${randomUUID()}@example.org`, [], setUp)).rejects.toThrow("has expired");
});

test("REGISTRATION is open, invite-only or domains, and an error names any other value", () => {
  const read = (REGISTRATION: string) => readConfig({ REGISTRATION }, { dev: false }).registration;
  expect([read(""), read("open"), read("invite-only")]).toEqual(["open", "open", { domains: [] }]);
  expect(read("Example.com, example.org")).toEqual({ domains: ["example.com", "example.org"] });
  for (const wrong of ["closed", "@example.com", "open,example.com"])
    expect(() => read(wrong)).toThrow("REGISTRATION must be open, invite-only");
});
