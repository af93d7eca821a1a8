import { expect, test } from "vitest";
import { joinOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const readUse = async (person: TestPerson) =>
  (await app.ask("GET", "/v1/phone-numbers/use", { token: person.token })).json();

test("every member can see whether calls use the carrier whose numbers are sold here, or one of their own", async () => {
  const rep = await newRep(app);
  const { token, organisationId } = rep;
  const member = await registerPerson(app);
  await joinOrganisation(app, member, { organisationId, role: "member" });
  const sellers = [{ accountId: null, name: "Sandbox", label: "Sandbox", isSandbox: true }];
  const bySandbox = { carrier: "Sandbox", usesNumbers: true, isSandbox: true, accountId: null, sellers };
  expect(await readUse(member)).toEqual(bySandbox);
  const settings = { host: "127.0.0.1:9", transport: "udp", authentication: "ip" };
  const made = await app.ask("POST", "/v1/carriers", {
    token,
    body: { kind: "sip-trunk", label: "Main trunk", settings },
  });
  expect(made.statusCode).toBe(201);
  for (const person of [rep, member])
    expect(await readUse(person)).toEqual({
      ...bySandbox,
      carrier: "Main trunk",
      usesNumbers: false,
      isSandbox: false,
    });
  expect(await readUse(await newRep(app)), "another organisation's carrier is its own").toEqual(bySandbox);
  await app.ask("PUT", `/v1/carriers/${made.json().id}`, { token, body: { inUse: false } });
  expect(await readUse(member)).toEqual(bySandbox);
});
