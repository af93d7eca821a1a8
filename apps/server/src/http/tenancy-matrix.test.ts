import { randomUUID } from "node:crypto";
import type { Role } from "@leadline/contract/organisations";
import { describe, expect, test } from "vitest";
import { testForeignOrganisation } from "../testing/foreign-organisation.ts";
import { everyEndpoint } from "../testing/foreign-requests.ts";
import { testAppWithCalls } from "../testing/test-calls.ts";
import { Problem } from "./problem.ts";
import type { Identity } from "./route.ts";
import { checkAccess } from "./check-access.ts";

const app = testAppWithCalls();

describe("every endpoint, for every role", () => {
  const people = testForeignOrganisation(app);

  test("is served here, without exception", () => {
    const absent = everyEndpoint.filter(
      ([, { method, path }]) => !app.http.hasRoute({ method, url: `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}` }),
    );
    expect(absent.map(([name]) => name)).toEqual([]);
  });

  test("returns 401 to anonymous callers, unless it is public", async () => {
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

  test("refuses callers without an organisation or with too low a role, and admits the others", async () => {
    for (const [name, endpoint] of everyEndpoint) {
      if (endpoint.access === "public" || endpoint.access === "signed-in") continue;
      for (const caller of ["no-organisation", ...roles] as const) {
        const expected = refusalOf(endpoint.access, caller);
        const path = endpoint.path.replaceAll(/\{\w+\}/g, randomUUID());
        // Names no object and sends no body, so anyone admitted is refused for that, or reads.
        const answer = await app.ask(endpoint.method, path, { token: people.get(caller)?.token ?? "" });
        const refused = /#(not-allowed|no-organisation)"/.exec(answer.body)?.[1] ?? null;
        expect({ name, caller, refused }).toEqual({ name, caller, refused: expected });
      }
    }
  });

  test("an analyst is admitted only to endpoints that read", () => {
    const changing = everyEndpoint.filter(([, { access, method }]) => access === "analyst" && method !== "GET");
    expect(changing.map(([name]) => name)).toEqual([]);
  });

  test("endpoints for any signed-in user change only the user's own data, or check the role in their verb", () => {
    const decided = everyEndpoint.filter(([, { access, method }]) => access === "signed-in" && method !== "GET");
    // Before adding one here, decide what an analyst may do with it. Endpoints for files are tested in files.test.ts.
    expect(decided.map(([name]) => name).toSorted()).toEqual([
      "acceptInvitation",
      "createOrganisation",
      "deleteFile",
      "deleteOrganisation",
      "endOtherSessions",
      "endSession",
      "eraseAccount",
      "leaveOrganisation",
      "setActiveOrganisation",
      "updateOrganisation",
      "updateUser",
      "uploadFiles",
    ]);
  });
});

const roles = ["analyst", "member", "admin", "owner"] as const satisfies Role[];

/** The refusal that the contract's `access` alone implies for that caller; null if it admits them. */
function refusalOf(access: Role, caller: "no-organisation" | Role): string | null {
  if (caller === "no-organisation") return "no-organisation";
  return roles.indexOf(caller) < roles.indexOf(access) ? "not-allowed" : null;
}

describe("access by role", () => {
  for (const access of roles) {
    const allowed = roles.slice(roles.indexOf(access));
    test(`${access} admits ${allowed.join(", ")} and nobody else`, async () => {
      for (const role of roles) {
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
        const expected = allowed.includes(role) ? "let in" : "not-allowed";
        expect({ role, outcome }).toEqual({ role, outcome: expected });
      }
    });
  }
});
