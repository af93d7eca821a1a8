import { randomUUID } from "node:crypto";
import { countries } from "@leadline/contract/countries";
import type { AvailableNumber, PhoneNumber } from "@leadline/contract/phone-numbers";
import { describe, expect, test } from "vitest";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();

const search = async (person: TestPerson, countryCode: string, query?: string): Promise<AvailableNumber[]> => {
  const parameters = new URLSearchParams({ countryCode, ...(query !== undefined && { query }) });
  const answer = await app.ask("GET", `/v1/phone-numbers/available?${parameters}`, { token: person.token });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const buy = (person: TestPerson, number: string, key?: string) =>
  app.ask("POST", "/v1/phone-numbers", {
    token: person.token,
    body: { number },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const list = async (person: TestPerson): Promise<PhoneNumber[]> =>
  (await app.ask("GET", "/v1/phone-numbers", { token: person.token })).json();
const update = (person: TestPerson, id: string, body: object) =>
  app.ask("PUT", `/v1/phone-numbers/${id}`, { token: person.token, body });
const release = (person: TestPerson, id: string) =>
  app.ask("DELETE", `/v1/phone-numbers/${id}`, { token: person.token });

/** The first numbers for sale in a country. Each test uses its own country, so that none takes another's numbers. */
const forSale = async (person: TestPerson, countryCode: string, count: number): Promise<string[]> =>
  (await search(person, countryCode)).slice(0, count).map(({ number }) => number);

const buyFirst = async (person: TestPerson, countryCode: string): Promise<PhoneNumber> => {
  const [number = ""] = await forSale(person, countryCode, 1);
  const bought = await buy(person, number);
  expect(bought.statusCode).toBe(201);
  return bought.json();
};

describe("searching for a number", () => {
  test("finds numbers in each of the 38 countries, by digits and by place", async () => {
    const rep = await newRep(app);
    expect(countries).toHaveLength(38);
    for (const { iso, dialCode } of countries) {
      const found = await search(rep, iso);
      expect(found.length).toBeGreaterThan(20);
      expect(found.filter(({ number }) => !number.startsWith(dialCode))).toEqual([]);
    }
    expect((await search(rep, "GB", "0161"))[0]).toMatchObject({
      number: expect.stringMatching(/^\+44161/),
      location: "Manchester",
      region: "Greater Manchester",
      capabilities: { voice: true, mms: false },
      monthlyCost: 1_150_000,
      requirement: expect.stringContaining("asks for an address"),
    });
    expect((await search(rep, "FR", "lyon")).every(({ location }) => location === "Lyon")).toBe(true);
    expect(await search(rep, "US", "99999999")).toEqual([]);
  });

  test("links to the rest of the stock, page by page, without duplicates", async () => {
    const rep = await newRep(app);
    const seen: string[] = [];
    let next: string | undefined = "/v1/phone-numbers/available?countryCode=US";
    let pages = 0;
    while (next !== undefined) {
      const answer = await app.ask("GET", next as `/${string}`, { token: rep.token });
      const numbers: AvailableNumber[] = answer.json();
      expect(numbers.length).toBeLessThanOrEqual(40);
      seen.push(...numbers.map(({ number }) => number));
      pages += 1;
      next = /<\/api([^>]+)>; rel="next"/.exec(String(answer.headers["link"]))?.[1];
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(40);
  });

  test("ignores a search text of one character", async () => {
    const rep = await newRep(app);
    expect(await search(rep, "HU", "9")).toEqual(await search(rep, "HU"));
  });

  test("refuses an unlisted country with an explanation", async () => {
    const rep = await newRep(app);
    for (const countryCode of ["AQ", "us", "", "GB'"]) {
      const refused = await app.ask("GET", `/v1/phone-numbers/available?countryCode=${countryCode}`, {
        token: rep.token,
      });
      expect(refused.json()).toMatchObject({ status: 422, detail: "Choose a country." });
    }
  });
});

describe("buying a number", () => {
  test("adds it to the organisation's list, and no longer offers it to anyone", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const offered = (await search(rep, "NL")).at(0);
    const number = offered?.number ?? "";
    const bought = await buy(rep, number);
    expect(bought.statusCode).toBe(201);
    expect(bought.json()).toMatchObject({
      number,
      provider: "Sandbox",
      label: null,
      isCallerId: true,
      monthlyCost: offered?.monthlyCost,
    });
    expect(await list(rep)).toEqual([bought.json()]);
    expect(await list(stranger)).toEqual([]);
    for (const person of [rep, stranger]) {
      expect((await search(person, "NL")).map((found) => found.number)).not.toContain(number);
      const again = await buy(person, number);
      expect(again.json()).toMatchObject({ status: 409, type: "/api/docs#number-taken" });
      expect(again.json().detail).toContain(number);
    }
  });

  test("sells it once, even if several organisations want it at once", async () => {
    const reps = await Promise.all(Array.from({ length: 6 }, () => newRep(app)));
    const [first] = reps;
    const [number = ""] = first ? await forSale(first, "BE", 1) : [];
    const answers = await Promise.all(reps.map((rep) => buy(rep, number)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    const lists = await Promise.all(reps.map((rep) => list(rep)));
    expect(lists.flat()).toHaveLength(1);
  });

  test("buys once for a key that is sent many times at once, and refuses the key for another number", async () => {
    const rep = await newRep(app);
    const [number = "", other = ""] = await forSale(rep, "IE", 2);
    const key = randomUUID();
    const answers = await Promise.all([buy(rep, number, key), buy(rep, number, key), buy(rep, number, key)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect((await buy(rep, other, key)).json()).toMatchObject({
      status: 409,
      type: "/api/docs#idempotency-key-reused",
    });
    expect(await list(rep)).toHaveLength(1);
  });

  test("a refusal doesn't use up the key: sent again once the number is available, it buys", async () => {
    const [rep, holder] = [await newRep(app), await newRep(app)];
    const { id, number } = await buyFirst(holder, "LU");
    const key = randomUUID();
    expect((await buy(rep, number, key)).statusCode).toBe(409);
    expect((await release(holder, id)).statusCode).toBe(204);
    expect((await buy(rep, number, key)).statusCode).toBe(201);
  });

  test("refuses a number that the carrier doesn't sell, or that isn't E.164", async () => {
    const rep = await newRep(app);
    for (const number of ["+12025550100", "+18005550199"])
      expect((await buy(rep, number)).json()).toMatchObject({ status: 409, type: "/api/docs#number-taken" });
    for (const number of ["2025550100", "+0123456789", "+12", "+1 202 555 0100"])
      expect((await buy(rep, number)).statusCode).toBe(422);
    expect(await list(rep)).toEqual([]);
  });

  test("is for admins and owners; members see the list and the stock", async () => {
    const rep = await newRep(app);
    const { id, number } = await buyFirst(rep, "AT");
    const member = await registerPerson(app);
    await joinOrganisation(app, member, { organisationId: rep.organisationId, role: "member" });
    const [other = ""] = await forSale(member, "AT", 1);
    for (const refused of [
      await buy(member, other),
      await update(member, id, { label: "Mine" }),
      await release(member, id),
    ])
      expect(refused.json()).toMatchObject({ status: 403, detail: "Only an admin can do this." });
    expect(await list(member)).toMatchObject([{ number, label: null }]);
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: rep.organisationId, role: "admin" });
    expect((await buy(admin, other)).statusCode).toBe(201);
  });

  test("is sent to the organisation's open tabs", async () => {
    const rep = await newRep(app);
    await app.http.listen({ port: 0, host: "127.0.0.1" });
    const address = app.http.server.address();
    const stream = await openEventStream(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, rep);
    await buyFirst(rep, "CH");
    await stream.until(() => stream.events.some(({ event }) => event === "phone-numbers.changed"));
    expect(stream.events.find(({ event }) => event === "phone-numbers.changed")?.data).toBe("{}");
    stream.close();
    await stream.ended;
  });
});

describe("the caller ID", () => {
  const callerIds = async (person: TestPerson) =>
    (await list(person)).filter(({ isCallerId }) => isCallerId).map(({ number }) => number);

  test("is the first number, then the chosen one, and the oldest of the rest once that is released", async () => {
    const rep = await newRep(app);
    const [first, second, third] = [await buyFirst(rep, "DK"), await buyFirst(rep, "DK"), await buyFirst(rep, "DK")];
    expect((await list(rep)).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect(await callerIds(rep)).toEqual([first.number]);
    expect((await update(rep, third.id, { isCallerId: true })).json()).toMatchObject({ isCallerId: true });
    expect(await callerIds(rep)).toEqual([third.number]);
    await release(rep, third.id);
    expect(await callerIds(rep)).toEqual([first.number]);
    await release(rep, second.id);
    await release(rep, first.id);
    expect(await list(rep)).toEqual([]);
  });

  test("is always exactly one, even if numbers are bought, chosen and released at once", async () => {
    const rep = await newRep(app);
    const numbers = await forSale(rep, "FI", 6);
    await Promise.all(numbers.map((number) => buy(rep, number)));
    expect(await callerIds(rep)).toHaveLength(1);
    const owned = await list(rep);
    await Promise.all([
      ...owned.map(({ id }) => update(rep, id, { isCallerId: true })),
      ...owned.slice(0, 3).map(({ id }) => release(rep, id)),
    ]);
    expect(await list(rep)).toHaveLength(3);
    expect(await callerIds(rep)).toHaveLength(1);
  });

  test("can't be removed without a replacement, and the database enforces one", async () => {
    const rep = await newRep(app);
    const { id } = await buyFirst(rep, "NO");
    const second = await buyFirst(rep, "NO");
    expect((await update(rep, id, { isCallerId: false })).json()).toMatchObject({
      status: 422,
      detail: "Calls must show one of your numbers. Make another number the caller ID instead.",
    });
    expect((await update(rep, second.id, { isCallerId: false })).statusCode).toBe(200);
    const { organisationId } = rep;
    const set = (which: string, isCallerId: boolean) =>
      app.database.withTransaction({ organisationId }, (tx) =>
        tx.updateTable("phone_numbers").set({ is_caller_id: isCallerId }).where("id", "=", which).execute(),
      );
    await expect(set(second.id, true)).rejects.toThrow(/phone_numbers_one_caller_id/);
    await expect(set(id, false)).rejects.toThrow(/has one of them as its caller ID/);
  });
});

describe("a number's label and its end", () => {
  test("a label is trimmed, limited to 60 characters, and removed by an empty one", async () => {
    const rep = await newRep(app);
    const { id } = await buyFirst(rep, "SE");
    const relabel = async (label: unknown) => (await update(rep, id, { label })).json();
    expect(await relabel("  Sales desk ")).toMatchObject({ label: "Sales desk", isCallerId: true });
    expect((await update(rep, id, {})).json()).toMatchObject({ label: "Sales desk" });
    expect(await relabel("x".repeat(61))).toMatchObject({ status: 422, detail: "Keep the label under 60 characters." });
    for (const broken of ["two\nlines", "nothing\0here"]) expect(await relabel(broken)).toMatchObject({ status: 422 });
    expect(await relabel("")).toMatchObject({ label: null });
  });

  test("a released number is off the list, for sale again, and can't be released twice", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const { id, number } = await buyFirst(rep, "PL");
    const [first, second] = await Promise.all([release(rep, id), release(rep, id)]);
    expect([first.statusCode, second.statusCode].toSorted()).toEqual([204, 404]);
    expect(await list(rep)).toEqual([]);
    expect((await update(rep, id, { label: "Back" })).json()).toMatchObject({
      status: 404,
      detail: "Number not found. It may have been released.",
    });
    expect((await search(stranger, "PL", number)).map((found) => found.number)).toContain(number);
    expect((await buy(stranger, number)).statusCode).toBe(201);
  });

  test("another organisation can't label, choose or release it", async () => {
    const [rep, stranger] = [await newRep(app), await newRep(app)];
    const owned = await buyFirst(rep, "CZ");
    await buyFirst(stranger, "CZ");
    expect((await update(stranger, owned.id, { label: "Taken", isCallerId: true })).statusCode).toBe(404);
    expect((await release(stranger, owned.id)).statusCode).toBe(404);
    expect(await list(rep)).toEqual([owned]);
  });
});
