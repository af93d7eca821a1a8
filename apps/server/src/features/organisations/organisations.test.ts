import { describe, expect, test } from "vitest";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();

const put = (token: string, id: string, body: object) => app.ask("PUT", `/v1/organisations/${id}`, { token, body });

describe("an organisation's settings", () => {
  test("have sensible defaults", async () => {
    const person = await registerPerson(app);
    const body = { name: "Harbour", timeZone: "Europe/Berlin" };
    const made = await app.ask("POST", "/v1/organisations", { token: person.token, body });
    expect(made.json()).toMatchObject({ timeZone: "Europe/Berlin", defaultCountry: "US" });
    expect(made.json().openingHours).toEqual([]);
    const elsewhere = { name: "Hafen", defaultCountry: "DE" };
    const there = await app.ask("POST", "/v1/organisations", { token: person.token, body: elsewhere });
    expect(there.json()).toMatchObject({ defaultCountry: "DE" });
    const nowhere = { name: "Ice", defaultCountry: "XX" };
    expect((await app.ask("POST", "/v1/organisations", { token: person.token, body: nowhere })).statusCode).toBe(422);
    const { id } = await makeOrganisation(app, person);
    const read = await app.ask("GET", `/v1/organisations/${id}`, { token: person.token });
    expect(read.json()).toMatchObject({ timeZone: "UTC" });
  });

  test("can be changed individually by an admin, and omitted ones stay", async () => {
    const owner = await registerPerson(app);
    const { id, name } = await makeOrganisation(app, owner);
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: id, role: "admin" });
    const openingHours = [{ day: "saturday", opensAt: "10:00", closesAt: "14:30" }];
    const changed = await put(admin.token, id, {
      website: "example.com",
      timeZone: "America/New_York",
      defaultCountry: "GB",
      openingHours,
    });
    expect(changed.json()).toMatchObject({ id, name, website: "example.com", defaultCountry: "GB", openingHours });
    const renamed = await put(admin.token, id, { name: "Deep Water", description: " " });
    expect(renamed.json()).toMatchObject({
      name: "Deep Water",
      description: null,
      website: "example.com",
      timeZone: "America/New_York",
      openingHours,
    });
  });

  test("are refused to a member, and another organisation's are not found", async () => {
    const owner = await registerPerson(app);
    const { id, name } = await makeOrganisation(app, owner);
    const [member, stranger] = [await registerPerson(app), await registerPerson(app)];
    await joinOrganisation(app, member, { organisationId: id, role: "member" });
    await makeOrganisation(app, stranger);
    expect((await put(member.token, id, { name: "Taken" })).statusCode).toBe(403);
    expect((await put(stranger.token, id, { name: "Taken" })).statusCode).toBe(404);
    const read = await app.ask("GET", `/v1/organisations/${id}`, { token: owner.token });
    expect(read.json().name).toBe(name);
  });

  test("are checked against the role in that organisation, not in the active one", async () => {
    const [owner, person] = [await registerPerson(app), await registerPerson(app)];
    const { id } = await makeOrganisation(app, owner);
    await joinOrganisation(app, person, { organisationId: id, role: "member" });
    await makeOrganisation(app, person);
    expect((await put(person.token, id, { name: "Taken" })).statusCode).toBe(403);
  });

  test("explain what they don't accept", async () => {
    const owner = await registerPerson(app);
    const { id } = await makeOrganisation(app, owner);
    const day = (opensAt: string, closesAt: string) => ({ day: "monday", opensAt, closesAt });
    for (const [body, message] of [
      [{ name: "x" }, "Name must be at least 2 characters."],
      [{ website: "javascript:alert(1)" }, "Enter a web address such as example.com"],
      [{ website: "our site" }, "Enter a web address such as example.com"],
      [{ timeZone: "Mars/Olympus" }, "Choose a time zone."],
      [{ timeZone: "+02:00" }, "Choose a time zone."],
      [{ defaultCountry: "XX" }, "Choose a country."],
      [{ openingHours: [day("17:00", "09:00")] }, "Closing time must be after opening time."],
      [{ openingHours: [day("09:00", "12:00"), day("13:00", "17:00")] }, "Enter each day once."],
      [{ openingHours: [day("9", "17:00")] }, "Enter a time as 09:00."],
    ] as const) {
      const refused = await put(owner.token, id, body);
      expect({ body, status: refused.statusCode }).toEqual({ body, status: 422 });
      expect(refused.json().detail).toContain(message);
    }
  });
});
