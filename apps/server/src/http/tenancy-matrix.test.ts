import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
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

  test("refuses callers without an organisation or with too low a role", async () => {
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
});

/** The refusal that the contract's `access` alone implies for that caller; null if it admits them. */
function refusalOf({ access }: Endpoint, caller: "no-organisation" | "member" | "admin"): string | null {
  if (access === "public" || access === "signed-in") return null;
  if (caller === "no-organisation") return "no-organisation";
  return access === "owner" || (access === "admin" && caller === "member") ? "not-allowed" : null;
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
