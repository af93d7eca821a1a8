import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import type { Role } from "@leadline/contract/organisations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBrowser, type TestBrowser } from "../media-plane/test-browser.ts";
import { openEventStream, type TestStream } from "../testing/open-event-stream.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestPerson } from "../testing/test-app.ts";
import { dial, testAppWithCalls } from "../testing/test-calls.ts";
import { connectIntegration } from "../testing/test-integrations.ts";
import { Problem } from "./problem.ts";
import type { Identity } from "./route.ts";
import { checkAccess } from "./check-access.ts";

const app = testAppWithCalls();
const callers = ["nobody", "no-organisation", "member", "admin", "owner"] as const;
const people = new Map<(typeof callers)[number], TestPerson>();
let foreigner: TestPerson;
let attending: TestStream;
let foreign: Record<string, string>;
let browser: TestBrowser;
afterAll(async () => {
  attending.close();
  await browser.close();
});

beforeAll(async () => {
  foreigner = await registerPerson(app);
  const organisation = await makeOrganisation(app, foreigner);
  const sessions = (await app.ask("GET", "/v1/sessions", { token: foreigner.token })).json();
  // Somebody is there: a call that no tab is near would end while the matrix runs.
  const origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  attending = await openEventStream(origin, { token: foreigner.token });
  const call = await dial(app, foreigner, "+12025550107");
  const [forSale] = (
    await app.ask("GET", "/v1/phone-numbers/available?countryCode=MX", { token: foreigner.token })
  ).json();
  const body = { number: forSale.number };
  const number = (await app.ask("POST", "/v1/phone-numbers", { token: foreigner.token, body })).json().id;
  const lead = { firstName: "Far", lastName: "Away", email: "far@away.example", phone: "+12025550107" };
  const added = await app.ask("POST", "/v1/leads", { token: foreigner.token, body: lead });
  browser = await openTestBrowser();
  const { mediaConnectionId } = (
    await app.ask("POST", "/v1/media-connections", { token: foreigner.token, body: { offer: browser.offer } })
  ).json();
  const invitation = { email: `${randomUUID()}@example.com`, role: "member" };
  const invited = await app.ask("POST", "/v1/invitations", { token: foreigner.token, body: invitation });
  const [outcome] = (await app.ask("GET", "/v1/call-outcomes", { token: foreigner.token })).json();
  const unwanted = { phoneNumber: "+12025550199" };
  await app.ask("POST", "/v1/do-not-call", { token: foreigner.token, body: unwanted });
  foreign = {
    organisation: organisation.id,
    user: foreigner.id,
    session: sessions[0].id,
    call,
    number,
    lead: added.json().id,
    mediaConnectionId,
    file: await addFile(foreigner, added.json().id),
    leadImport: await prepareImport(foreigner),
    invitation: invited.json().id,
    outcome: outcome.id,
    doNotCall: "+12025550199",
  };
  foreign["integration"] = await connectIntegration(app, foreigner);
  people.set("no-organisation", await registerPerson(app));
  const home = await makeOrganisation(app, people.set("owner", await registerPerson(app)).get("owner") ?? foreigner);
  for (const role of ["member", "admin"] as const satisfies Role[]) {
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId: home.id, role });
    people.set(role, person);
  }
});

async function sendFile(person: TestPerson, path: string, file: File, fields: Record<string, string>) {
  const form = new FormData();
  form.append("file[]", file);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return app.ask("POST", path, { token: person.token, form });
}
async function addFile(person: TestPerson, leadId: string): Promise<string> {
  const fields = { entity: "lead", entityId: leadId };
  const added = await sendFile(person, "/v1/files", new File(["%PDF-1.7"], "far.pdf"), fields);
  return added.json()[0].id;
}
async function prepareImport(person: TestPerson): Promise<string> {
  const content = "First name,Last name,Email,Phone\nFar,Away,far@away.example,+12025550107\n";
  const prepared = await sendFile(person, "/v1/lead-imports", new File([content], "far.csv"), {});
  return prepared.json().id;
}

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
    const addressed = served().filter(([, endpoint]) => endpoint.path.includes("{"));
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
    expect(await snapshot()).toEqual(before);
  }, 60_000);

  test("lists nothing of a foreign organisation", async () => {
    const lists = served().filter(
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

const isAboutPath = ({ field }: { field: string }): boolean => /id$|Sid$/i.test(field);

/** For each endpoint with an address and a body, one that its schema takes: what refuses it then is whose the address is. */
const validBodies: Record<string, object> = {
  updateIntegration: { label: "Taken" },
  updateUser: { firstName: "Taken" },
  attachCallMedia: { offer: "v=0" },
  sendCallDigits: { digits: "1" },
  updateCall: { muted: true },
  renegotiateMediaConnection: { offer: "v=0" },
  updatePhoneNumber: { label: "Taken", isCallerId: true },
  setCallDisposition: { note: "Taken" },
  updateCallOutcome: { name: "Taken" },
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

async function snapshot(): Promise<unknown> {
  const me = await app.ask("GET", "/v1/users/me", { token: foreigner.token });
  const organisations = await app.ask("GET", "/v1/organisations", { token: foreigner.token });
  const [call] = (await app.ask("GET", "/v1/calls", { token: foreigner.token })).json();
  const numbers = (await app.ask("GET", "/v1/phone-numbers", { token: foreigner.token })).json();
  const leads = await app.ask("GET", "/v1/leads", { token: foreigner.token });
  const integrations = await app.ask("GET", "/v1/integrations", { token: foreigner.token });
  const ofLead = `entity=lead&entityId=${foreign["lead"]}`;
  const files = await app.ask("GET", `/v1/files?${ofLead}`, { token: foreigner.token });
  const leadImport = await app.ask("GET", `/v1/lead-imports/${foreign["leadImport"]}`, { token: foreigner.token });
  const doNotCall = await app.ask("GET", "/v1/do-not-call", { token: foreigner.token });
  expect(doNotCall.json()).toHaveLength(1);
  const invitations = await app.ask("GET", "/v1/invitations", { token: foreigner.token });
  const members = await app.ask("GET", "/v1/members", { token: foreigner.token });
  return [
    doNotCall.json(),
    invitations.json(),
    members.json(),
    me.statusCode,
    me.json(),
    numbers,
    leads.json(),
    integrations.json(),
    files.json(),
    leadImport.json(),
    organisations.json(),
    call.callSid,
    call.endedAt,
    call.muted,
    call.held,
    call.note,
    (await app.ask("GET", "/v1/call-outcomes", { token: foreigner.token })).json(),
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
