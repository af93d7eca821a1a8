import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import type { Role } from "@leadline/contract/organisations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { makeOneOfEverything, type OneOfEverything } from "../testing/one-of-everything.ts";
import { readEverything } from "../testing/read-everything.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestPerson } from "../testing/test-app.ts";
import { testAppWithCalls } from "../testing/test-calls.ts";
import { Problem } from "./problem.ts";
import type { Identity } from "./route.ts";
import { checkAccess } from "./check-access.ts";

const app = testAppWithCalls();
const callers = ["nobody", "no-organisation", "member", "admin", "owner"] as const;
const people = new Map<(typeof callers)[number], TestPerson>();
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
  for (const role of ["member", "admin"] as const satisfies Role[]) {
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId: home.id, role });
    people.set(role, person);
  }
});

const everyEndpoint = Object.entries<Endpoint>(endpoints);

/** Every identifier of the foreign organisation in the place of every parameter: none may answer with success. */
const foreignPaths = (endpoint: Endpoint): string[] =>
  Object.values({ ...foreign, unknown: randomUUID() }).map((id) => endpoint.path.replaceAll(/\{\w+\}/g, id));

describe("every endpoint, for every role", () => {
  test("is served here, none left out", () => {
    const absent = everyEndpoint.filter(
      ([, { method, path }]) => !app.http.hasRoute({ method, url: `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}` }),
    );
    expect(absent.map(([name]) => name)).toEqual([]);
  });

  test("answers 401 to whoever is not signed in, unless it is public", async () => {
    for (const [name, endpoint] of everyEndpoint) {
      if (endpoint.access === "public") continue;
      for (const token of [undefined, "nonsense"]) {
        const path = endpoint.path.replaceAll(/\{\w+\}/g, randomUUID());
        const answer = await app.ask(endpoint.method, path, token === undefined ? {} : { token });
        expect({ name, status: answer.statusCode }).toEqual({ name, status: 401 });
        expect(answer.json().type).toBe("/api/docs#not-signed-in");
      }
    }
  });

  test("refuses whoever's role is too low, or who has no organisation", async () => {
    for (const [name, endpoint] of everyEndpoint) {
      for (const caller of ["no-organisation", "member", "admin"] as const) {
        const expected = refusalOf(endpoint, caller);
        if (expected === null) continue;
        const path = endpoint.path.replaceAll(/\{\w+\}/g, randomUUID());
        const answer = await app.ask(endpoint.method, path, { token: people.get(caller)?.token ?? "" });
        expect({ name, caller, type: answer.json().type }).toEqual({ name, caller, type: `/api/docs#${expected}` });
      }
    }
  });

  test("neither reads nor writes anything of a foreign organisation", async () => {
    const before = await readEverything(app, everything);
    const addressed = everyEndpoint.filter(([, endpoint]) => endpoint.path.includes("{"));
    expect(addressed.length).toBeGreaterThan(10);
    for (const [name, endpoint] of addressed) {
      for (const caller of callers) {
        const token = people.get(caller)?.token;
        const asked = foreignPaths(endpoint).map(async (path) => {
          const answer = await app.ask(endpoint.method, path, {
            ...(token === undefined ? {} : { token }),
            ...(endpoint.body ? { body: validBody(name, endpoint) } : {}),
          });
          const refusals = name === "renegotiateMediaConnection" ? [401, 403, 409] : [401, 403, 404];
          // An identifier of another kind may fail to parse; one of the right kind is refused for whose it is.
          const wrongKind = answer.statusCode === 422 && answer.json().errors.every(isAboutPath);
          expect(
            wrongKind || refusals.includes(answer.statusCode),
            `${name} ${path} as ${caller}: ${answer.body}`,
          ).toBe(true);
          expect(answer.body).not.toContain(foreigner.email);
        });
        await Promise.all(asked);
      }
    }
    expect(await readEverything(app, everything)).toEqual(before);
  });

  test("takes nothing of a foreign organisation by an identifier in a query", async () => {
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
          expect(answer.body, `${name} ${query}`).not.toContain(secret);
      }
    }
  });

  test("takes nothing of a foreign organisation by an identifier in a body", async () => {
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
        const path = endpoint.path.replaceAll("{callSid}", callSid);
        const form = endpoint.files && formOf(body);
        // The owner is in a call, which would refuse another one first.
        const by = name === "startCall" ? people.get("admin")?.token : token;
        const answer = await app.ask(endpoint.method, path, { token: by ?? "", ...(form ? { form } : { body }) });
        // An order passes over what it does not know.
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
          expect(answer.body, `${name} as ${caller}`).not.toContain(secret);
      }
    }
  });
});

/** What the contract's `access` alone says of that caller; null where it lets them in. */
function refusalOf({ access }: Endpoint, caller: "no-organisation" | "member" | "admin"): string | null {
  if (access === "public" || access === "signed-in") return null;
  if (caller === "no-organisation") return "no-organisation";
  return access === "owner" || (access === "admin" && caller === "member") ? "not-allowed" : null;
}

/** Fields of a query or body that name a thing, by the shape the contract gives them. */
function identifiersIn(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const names = Object.entries(properties).filter(
    ([name, property]) =>
      /"uuid"|\^CA\[/.test(JSON.stringify(property)) || (/[a-z]Id$/.test(name) && !name.startsWith("is")),
  );
  return names.map(([name]) => name);
}

/** What such a query must hold beside its identifier. */
const neededQueries: Record<string, Record<string, string>> = {
  listFiles: { entity: "lead" },
  readStatistics: { from: "2026-01-01", to: "2026-01-31" },
};

/** For each endpoint whose body names something, one that is right but for whose the thing is. */
const bodiesThatName: Record<string, (id: string) => Record<string, unknown>> = {
  startCall: (mediaConnectionId) => ({ phoneNumber: "+12025550100", mediaConnectionId }),
  attachCallMedia: (mediaConnectionId) => ({ mediaConnectionId }),
  answerCall: (mediaConnectionId) => ({ mediaConnectionId }),
  transferCall: (leadId) => ({ phoneNumber: "+12025550100", leadId }),
  consultInCall: (leadId) => ({ phoneNumber: "+12025550100", leadId }),
  setCallDisposition: (outcomeId) => ({ outcomeId }),
  orderCallOutcomes: (id) => ({ ids: [id] }),
  uploadFiles: (entityId) => ({ entity: "lead", entityId }),
  finishCrmLogin: (integrationId) => ({ code: "code", integrationId }),
  updateVoicemailSettings: (greetingId) => ({ greetingId }),
  checkCarrier: (id) => ({ kind: "sip-trunk", settings: { host: "127.0.0.1:9", authentication: "ip" }, id }),
};

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  form.append("file[]", new File(["%PDF-1.7"], "near.pdf"));
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return form;
}

const isAboutPath = ({ field }: { field: string }): boolean => /id$|Sid$/i.test(field);

/** For each endpoint with an address and a body, one that its schema takes: what refuses it then is whose the address is. */
const validBodies: Record<string, object> = {
  updateIntegration: { label: "Taken" },
  updateUser: { firstName: "Taken" },
  updateCarrier: { label: "Taken", inUse: false },
  attachCallMedia: { offer: "v=0" },
  answerCall: { offer: "v=0" },
  transferCall: { phoneNumber: "+12025550100" },
  consultInCall: { phoneNumber: "+12025550100" },
  sendCallDigits: { digits: "1" },
  updateCall: { muted: true },
  renegotiateMediaConnection: { offer: "v=0" },
  updatePhoneNumber: { label: "Taken", isCallerId: true },
  setCallDisposition: { note: "Taken" },
  updateCallOutcome: { name: "Taken" },
  markVoicemail: { heard: true },
  updateLead: { firstName: "Taken" },
  updateOrganisation: { name: "Taken" },
  updateMember: { role: "member" },
  addLeadNote: { text: "Taken" },
  setFollowUp: { followUpOn: "2031-01-01" },
  checkLeadImport: { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } },
  startLeadImport: { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } },
};

function validBody(name: string, endpoint: Endpoint): object {
  const body = validBodies[name];
  expect(body, `${name} needs an entry in validBodies`).toBeDefined();
  expect(endpoint.body?.safeParse(body).success, `validBodies.${name} does not fit its schema`).toBe(true);
  return body ?? {};
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
