import { endpoints } from "@leadline/contract/endpoints";
import { ProblemDocument } from "@leadline/contract/problem";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Operation, requestsTo, type WireRequest } from "../testing/arbitrary-requests.ts";
import { bodiesThatName, validBodies } from "../testing/foreign-requests.ts";
import { makeOneOfEverything, type OneOfEverything } from "../testing/one-of-everything.ts";
import { crmIds } from "../testing/test-crm.ts";
import { joinOrganisation, randomAddress, registerPerson, signIn, type TestPerson } from "../testing/test-app.ts";
import { testAppWithCalls } from "../testing/test-calls.ts";

/** `FUZZ_SEED=7 FUZZ_RUNS=500 npx vitest run endpoints-fuzz` uses another seed and more runs. */
const seed = Number(process.env["FUZZ_SEED"] ?? 20_260_701);
const runsPerOperation = Number(process.env["FUZZ_RUNS"] ?? 45);

const app = testAppWithCalls();
let everything: OneOfEverything;
let member: TestPerson;
let operations: Operation[];

beforeAll(async () => {
  everything = await makeOneOfEverything(app);
  member = await registerPerson(app);
  await rejoin();
  operations = readOperations((await app.http.inject("/api/openapi.json")).json());
});
afterAll(() => everything.close());

interface Document {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
}

/** Operations that end sessions, memberships or things come last, so that the others find them alive. */
function readOperations({ paths }: Document): Operation[] {
  const order = ["GET", "PATCH", "PUT", "POST", "DELETE"];
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, rest]) => ({ ...rest, path, method: readMethod(method) })),
  );
  const rank = ({ method, path }: Operation) => order.indexOf(method) + (/log-?out|leave|session/.test(path) ? 10 : 0);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

function readMethod(name: string): Operation["method"] {
  const method = name.toUpperCase();
  if (method === "GET" || method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE")
    return method;
  throw new Error(`no method of ours: ${name}`);
}

/** Some successful requests remove what later ones need. */
async function rejoin(): Promise<void> {
  const { owner, ids } = everything;
  const organisationId = ids["organisation"] ?? "";
  for (const person of [owner, member]) {
    const me = await app.ask("GET", "/v1/users/me", { token: person.token });
    if (me.statusCode === 401) Object.assign(person, await signIn(app, person));
  }
  const back = `/v1/users/set-organisation/${organisationId}`;
  if ((await app.ask("PUT", back, { token: owner.token })).statusCode === 404) {
    await everything.close();
    everything = await makeOneOfEverything(app);
    return rejoin();
  }
  if ((await app.ask("PUT", back, { token: member.token })).statusCode === 404)
    await joinOrganisation(app, member, { organisationId, role: "member" });
}

/** `fault` is why the response is wrong; null if it is acceptable. */
async function send(request: WireRequest, streams: boolean): Promise<{ succeeded: boolean; fault: string | null }> {
  const options = { ...request, remoteAddress: randomAddress() };
  if (!streams) {
    const { statusCode, headers, body } = await app.http.inject(options);
    return { succeeded: statusCode < 400, fault: faultIn(statusCode, headers["content-type"], body) };
  }
  const answer = await app.http.inject({ ...options, payloadAsStream: true });
  const { statusCode, headers } = answer;
  if (statusCode < 400) {
    answer.stream().destroy();
    return { succeeded: true, fault: null };
  }
  const body = (await answer.stream().toArray()).join("");
  return { succeeded: false, fault: faultIn(statusCode, headers["content-type"], body) };
}

function faultIn(status: number, contentType: unknown, body: string): string | null {
  if (status < 400) return null;
  if (status >= 500) return `answered ${status}: ${body}`;
  if (!String(contentType).startsWith("application/problem+json")) return `no problem+json: ${body}`;
  const problem = ProblemDocument.safeParse(JSON.parse(body));
  if (!problem.success) return `no problem document: ${body}`;
  if (problem.data.status !== status) return `says ${problem.data.status} and is ${status}`;
  return problem.data.detail === "" ? "has no detail" : null;
}

/** For endpoints without a path parameter, for which the tenancy matrix needs no body. */
const unaddressedBodies: Record<string, object> = {
  addToDoNotCall: { phoneNumber: "+12025550142" },
  createIntegration: { service: crmIds.at(-1), label: "Far" },
  createCarrier: { kind: "sip-trunk", label: "Far", settings: { host: "192.0.2.7", authentication: "ip" } },
  checkCarrier: { kind: "sip-trunk", settings: { host: "127.0.0.1:9", authentication: "ip" } },
};

/** The tenancy matrix's bodies, with each of the owner's things named in turn. */
function examplesFor({ operationId }: Operation): object[] {
  const valid = validBodies[operationId] ?? unaddressedBodies[operationId];
  const naming = bodiesThatName[operationId];
  const { ids } = everything;
  return [...(valid ? [valid] : []), ...(naming ? Object.values(ids).map((id) => naming(id)) : [])];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test(
  `any request to any endpoint is answered, or refused with a problem (seed ${seed})`,
  async () => {
    expect(operations.length).toBe(Object.keys(endpoints).length);
    const faults: string[] = [];
    const reached = new Set<string>();
    for (const operation of operations) {
      await rejoin();
      const streams = "text/event-stream" in (operation.responses["200"]?.content ?? {});
      const callers = {
        nobody: () => ({}),
        stranger: () => bearer("aaaa.bbbb.cccc"),
        member: () => bearer(member.token),
        owner: () => bearer(everything.owner.token),
      };
      const caller = fc.constantFrom(
        "nobody",
        "stranger",
        "member",
        "member",
        "owner",
        "owner",
        "owner",
        "owner" as const,
      );
      const requests = requestsTo(operation, everything.ids, examplesFor(operation));
      const property = fc.asyncProperty(requests, caller, async (request, by) => {
        const sent = { ...request, headers: { ...request.headers, ...callers[by]() } };
        const { fault, succeeded } = await send(sent, streams);
        if (fault !== null) throw new Error(fault);
        if (succeeded) reached.add(operation.operationId);
      });
      const found = await fc.check(property, { seed, numRuns: runsPerOperation, endOnFailure: false });
      if (found.failed) faults.push(`${operation.operationId}: ${fc.defaultReportMessage(found)?.slice(0, 1_500)}`);
    }
    expect(faults).toEqual([]);
    // Otherwise every request was refused by access or validation. A third can't succeed by chance: they need a
    // signature, a code from an email, a browser's audio, or two leads that conflict.
    expect(reached.size).toBeGreaterThan(0.65 * operations.length);
  },
  120_000 + 8_000 * runsPerOperation,
);
