import type { Access } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  bodiesThatName,
  everyEndpoint,
  formOf,
  identifiersIn,
  isAddressed,
  isRefused,
  neededQueries,
  pathOf,
  pathsWith,
  validBody,
} from "./foreign-requests.ts";
import { makeOneOfEverything, type OneOfEverything } from "./one-of-everything.ts";
import { readEverything } from "./read-everything.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestApp, type TestPerson } from "./test-app.ts";

const callers = ["nobody", "no-organisation", "analyst", "member", "admin", "owner"] as const;
type Caller = (typeof callers)[number];
/** Who may call an endpoint, by its access. */
const admitted: Record<Exclude<Access, "public">, readonly Caller[]> = {
  "signed-in": callers.slice(1),
  analyst: callers.slice(2),
  member: callers.slice(3),
  admin: callers.slice(4),
  owner: callers.slice(5),
};

/**
 * Tests every endpoint of the contract against an organisation that has one of everything, as every role of another
 * organisation. Returns the users of that other one.
 */
export function testForeignOrganisation(app: TestApp): ReadonlyMap<Caller, TestPerson> {
  const people = new Map<Caller, TestPerson>();
  let foreigner: TestPerson;
  let foreign: Record<string, string>;
  let everything: OneOfEverything;
  afterAll(() => everything.close());

  beforeAll(async () => {
    everything = await makeOneOfEverything(app);
    foreigner = everything.owner;
    foreign = everything.ids;
    people.set("no-organisation", await registerPerson(app));
    const home = await makeOrganisation(app, people.set("owner", await registerPerson(app)).get("owner") ?? foreigner);
    for (const role of ["analyst", "member", "admin"] as const satisfies Role[]) {
      const person = await registerPerson(app);
      await joinOrganisation(app, person, { organisationId: home.id, role });
      people.set(role, person);
    }
  });

  test("can't read or write anything of a foreign organisation", async () => {
    const before = await readEverything(app, everything);
    const addressed = everyEndpoint.filter(([, endpoint]) => isAddressed(endpoint));
    expect(addressed.length).toBeGreaterThan(10);
    for (const [name, endpoint] of addressed) {
      for (const caller of callers) {
        const person = people.get(caller);
        const token = person?.token;
        // Whoever may call the endpoint nowhere is refused before the identifier is looked at.
        const isOutside = endpoint.access !== "public" && !admitted[endpoint.access].includes(caller);
        const paths = pathsWith(endpoint, foreign);
        const asked = (isOutside ? paths.slice(0, 3) : paths).map(async (path) => {
          const answer = await app.ask(endpoint.method, path, {
            ...(token === undefined ? {} : { token }),
            ...(endpoint.body ? { body: validBody(name, endpoint, person) } : {}),
          });
          // A single run lists every endpoint that leaks.
          expect.soft(isRefused(name, answer), `${name} ${path} as ${caller}: ${answer.body}`).toBe(true);
          expect.soft(answer.body).not.toContain(foreigner.email);
        });
        await Promise.all(asked);
      }
    }
    expect(await readEverything(app, everything)).toEqual(before);
  });

  test("accepts no identifier of a foreign organisation in a query", async () => {
    const askable = everyEndpoint.flatMap(([name, endpoint]) =>
      identifiersIn(endpoint.query).map((field) => ({ name, endpoint, field })),
    );
    expect(askable.length).toBeGreaterThan(4);
    const token = people.get("owner")?.token ?? "";
    for (const { name, endpoint, field } of askable) {
      for (const id of Object.values(foreign)) {
        const query = new URLSearchParams({ ...neededQueries[name], [field]: id });
        const answer = await app.ask(endpoint.method, `${endpoint.path}?${query}`, { token });
        expect(answer.statusCode, `${name} ${query}: ${answer.body}`).toBeLessThan(500);
        for (const secret of [foreigner.email, ...Object.values(foreign)])
          expect.soft(answer.body, `${name} ${query}`).not.toContain(secret);
      }
    }
  });

  test("accepts no identifier of a foreign organisation in a body", async () => {
    const before = await readEverything(app, everything);
    const token = people.get("owner")?.token ?? "";
    const started = await app.ask("POST", "/v1/calls", { token, body: { phoneNumber: "+12025550107" } });
    const { callSid } = started.json();
    const bodied = everyEndpoint.filter(([, { body }]) => identifiersIn(body).length > 0);
    expect(bodied.length).toBeGreaterThan(4);
    for (const [name, endpoint] of bodied) {
      const bodyWith = bodiesThatName[name];
      expect(bodyWith, `${name} needs an entry in bodiesThatName`).toBeDefined();
      for (const id of Object.values(foreign)) {
        const body = bodyWith?.(id) ?? {};
        const path = pathOf(endpoint).replaceAll("{callSid}", callSid);
        const form = endpoint.files && formOf(body);
        // The owner is in a call, and a second one would be refused for that; no one may check carriers this often.
        const by = name === "startCall" || name === "checkCarrier" ? people.get("admin")?.token : token;
        const answer = await app.ask(endpoint.method, path, { token: by ?? "", ...(form ? { form } : { body }) });
        // An order ignores identifiers that it doesn't know.
        const answers = name === "orderCallOutcomes" ? [200, 422] : [403, 404, 409, 422];
        expect(answers, `${name} ${JSON.stringify(body)}: ${answer.body}`).toContain(answer.statusCode);
        for (const secret of [foreigner.email, id]) expect(answer.body, `${name}`).not.toContain(secret);
      }
    }
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
    expect(await readEverything(app, everything)).toEqual(before);
  });

  test("lists nothing of a foreign organisation", async () => {
    const lists = everyEndpoint.filter(
      ([, { method, path, success }]) => method === "GET" && !path.includes("{") && success[1] !== "events",
    );
    expect(lists.length).toBeGreaterThan(4);
    for (const [name, endpoint] of lists) {
      for (const caller of callers) {
        const token = people.get(caller)?.token;
        const answer = await app.ask("GET", endpoint.path, token === undefined ? {} : { token });
        for (const secret of [foreigner.email, ...Object.values(foreign)])
          expect.soft(answer.body, `${name} as ${caller}`).not.toContain(secret);
      }
    }
  });

  test("keeps a user's data in one of their organisations out of another", async () => {
    // A user can't switch organisations during a call.
    await app.ask("POST", `/v1/calls/${foreign["call"]}/hang-up`, { token: foreigner.token });
    const before = await readEverything(app, everything);
    const owner = people.get("owner") ?? foreigner;
    const home: string = (await app.ask("GET", "/v1/users/me", { token: owner.token })).json().activeOrganisation.id;
    await joinOrganisation(app, foreigner, { organisationId: home, role: "owner" });
    // The account, and what the tab itself holds, moves with the user.
    const { organisation = "", user: _user, session: _session, mediaConnectionId: _tab, ...things } = foreign;
    const { token } = foreigner;
    expect((await app.ask("GET", "/v1/users/me", { token })).json().activeOrganisation.id).toBe(home);
    for (const [name, endpoint] of everyEndpoint) {
      if (!isAddressed(endpoint)) continue;
      for (const path of pathsWith(endpoint, things)) {
        const body = endpoint.body ? { body: validBody(name, endpoint, foreigner) } : {};
        const answer = await app.ask(endpoint.method, path, { token, ...body });
        expect.soft(isRefused(name, answer), `${name} ${path}: ${answer.body}`).toBe(true);
      }
    }
    for (const [name, { method, path, success }] of everyEndpoint) {
      if (method !== "GET" || path.includes("{") || success[1] === "events") continue;
      const answer = await app.ask("GET", path, { token });
      for (const id of Object.values(things)) expect.soft(answer.body, name).not.toContain(id);
    }
    await app.ask("PUT", `/v1/users/set-organisation/${organisation}`, { token });
    await app.ask("POST", `/v1/organisations/${home}/leave`, { token });
    expect(await readEverything(app, everything)).toEqual(before);
  });

  return people;
}
