import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import type { Role } from "@leadline/contract/organisations";
import { beforeAll, describe, expect, test } from "vitest";
import { joinOrganisation, makeOrganisation, registerPerson, type TestPerson } from "../testing/test-app.ts";
import { dial, testAppWithCalls } from "../testing/test-calls.ts";
import { Problem } from "./problem.ts";
import type { Identity } from "./route.ts";
import { checkAccess } from "./check-access.ts";

const app = testAppWithCalls();
const callers = ["nobody", "no-organisation", "member", "admin", "owner"] as const;
const people = new Map<(typeof callers)[number], TestPerson>();
let foreigner: TestPerson;
let foreign: Record<string, string>;

beforeAll(async () => {
  foreigner = await registerPerson(app);
  const organisation = await makeOrganisation(app, foreigner);
  const sessions = (await app.ask("GET", "/v1/sessions", { token: foreigner.token })).json();
  const call = await dial(app, foreigner, "+12025550107");
  const lead = { firstName: "Far", lastName: "Away", email: "far@away.example", phone: "+12025550107" };
  const added = await app.ask("POST", "/v1/leads", { token: foreigner.token, body: lead });
  foreign = { organisation: organisation.id, user: foreigner.id, session: sessions[0].id, call, lead: added.json().id };
  people.set("no-organisation", await registerPerson(app));
  const home = await makeOrganisation(app, people.set("owner", await registerPerson(app)).get("owner") ?? foreigner);
  for (const role of ["member", "admin"] as const satisfies Role[]) {
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId: home.id, role });
    people.set(role, person);
  }
});

const served = () =>
  Object.entries<Endpoint>(endpoints).filter(([, { method, path }]) =>
    app.http.hasRoute({ method, url: `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}` }),
  );

/** Every identifier of the foreign organisation in the place of every parameter: none may answer with success. */
const foreignPaths = (endpoint: Endpoint): string[] =>
  Object.values({ ...foreign, unknown: randomUUID() }).map((id) => endpoint.path.replaceAll(/\{\w+\}/g, id));

describe("every endpoint, for every role", () => {
  test("answers 401 to whoever is not signed in, unless it is public", async () => {
    for (const [name, endpoint] of served()) {
      if (endpoint.access === "public") continue;
      for (const token of [undefined, "nonsense"]) {
        const path = endpoint.path.replaceAll(/\{\w+\}/g, randomUUID());
        const answer = await app.ask(endpoint.method, path, token === undefined ? {} : { token });
        expect({ name, status: answer.statusCode }).toEqual({ name, status: 401 });
        expect(answer.json().type).toBe("/api/docs#not-signed-in");
      }
    }
  });

  test("neither reads nor writes anything of a foreign organisation", async () => {
    const before = await snapshot();
    expect(served().filter(([, endpoint]) => endpoint.path.includes("{")).length).toBeGreaterThan(4);
    for (const [name, endpoint] of served()) {
      if (!endpoint.path.includes("{")) continue;
      for (const caller of callers) {
        const token = people.get(caller)?.token;
        for (const path of foreignPaths(endpoint)) {
          const answer = await app.ask(endpoint.method, path, {
            ...(token === undefined ? {} : { token }),
            ...(endpoint.body ? { body: { firstName: "Taken", name: "Taken" } } : {}),
          });
          const refused = [401, 403, 404, 409, 422].includes(answer.statusCode);
          expect({ case: `${name} ${path} as ${caller}`, refused }).toMatchObject({ refused: true });
          expect(answer.body).not.toContain(foreigner.email);
        }
      }
    }
    expect(await snapshot()).toEqual(before);
  });
});

async function snapshot(): Promise<unknown> {
  const me = await app.ask("GET", "/v1/users/me", { token: foreigner.token });
  const organisations = await app.ask("GET", "/v1/organisations", { token: foreigner.token });
  const [call] = (await app.ask("GET", "/v1/calls", { token: foreigner.token })).json();
  const leads = await app.ask("GET", "/v1/leads", { token: foreigner.token });
  return [
    me.statusCode,
    me.json(),
    leads.json(),
    organisations.json(),
    call.callSid,
    call.endedAt,
    call.muted,
    call.held,
  ];
}

describe("access by role", () => {
  const ranks = { member: ["member", "admin", "owner"], admin: ["admin", "owner"], owner: ["owner"] } as const;
  for (const [access, allowed] of Object.entries(ranks)) {
    test(`${access} lets in ${allowed.join(", ")} and nobody else`, async () => {
      if (access !== "member" && access !== "admin" && access !== "owner") throw new Error("unknown access");
      for (const role of ["member", "admin", "owner"] as const) {
        const identity: Identity = {
          userId: randomUUID(),
          sessionId: randomUUID(),
          organisation: { id: randomUUID(), role },
        };
        const request = { headers: { authorization: "Bearer token" }, ip: "10.0.0.1", log: { warn: () => {} } };
        const checked = checkAccess(access, request, async () => identity);
        const outcome = await checked.then(
          () => "let in",
          (problem: unknown) => (problem instanceof Problem ? problem.code : "failed"),
        );
        const expected = allowed.some((name) => name === role) ? "let in" : "not-allowed";
        expect({ role, outcome }).toEqual({ role, outcome: expected });
      }
    });
  }
});
