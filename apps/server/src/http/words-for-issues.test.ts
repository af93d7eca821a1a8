import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import type { InjectOptions } from "fastify";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { carrierModules } from "../adapters.ts";
import { issuesIn } from "../features/carriers/read-settings.ts";
import { createLog } from "../log.ts";
import { createHttpServer } from "./create-http-server.ts";
import { Problem } from "./problem.ts";

/** zod's default messages. */
const zodsOwn = /Too (small|big)|Invalid|Unrecognized|expected|received|must match/;

const organisation = { id: randomUUID(), role: "owner" } as const;
const app = createHttpServer({
  // Other tests cover the handlers.
  routes: Object.values<Endpoint>(endpoints).map((endpoint) => ({
    endpoint,
    handle: () => Promise.reject(new Problem("not-found", "It came through.")),
  })),
  authenticate: async () => ({ userId: randomUUID(), sessionId: randomUUID(), organisation }),
  log: createLog("silent"),
});

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema !== undefined && "shape" in schema && typeof schema.shape === "object" ? Object.keys(schema.shape ?? {}) : [];

/** The detail of the refusal; null if the request was accepted. */
async function detailOf(endpoint: Endpoint, url: string, sent: Pick<InjectOptions, "headers" | "payload"> = {}) {
  const form = endpoint.files
    ? { headers: { "content-type": "multipart/form-data; boundary=x" }, payload: "--x--\r\n" }
    : {};
  const headers = { authorization: "Bearer a.b.c", ...form.headers, ...sent.headers };
  const answer = await (await app).inject({ method: endpoint.method, url: `/api${url}`, ...form, ...sent, headers });
  expect([404, 422], `${endpoint.method} ${url}: ${answer.body}`).toContain(answer.statusCode);
  return answer.statusCode === 422 ? String(answer.json().detail) : null;
}

const pathOf = ({ path }: Endpoint, param: string = randomUUID()): string => path.replaceAll(/\{\w+\}/g, param);

describe.each(Object.entries<Endpoint>(endpoints))("%s", (_, endpoint) => {
  const texts = ["0", "-1", "1.5", "x", "1000000000000000", "2026-13-41", "x".repeat(90), "x".repeat(1_500)];
  const values = [7, -1, 1.5, 1e15, "", "x", "x".repeat(20_000), true, null, [], [7], ["x"], {}, { x: 7 }];
  const body = fieldsOf(endpoint.body);
  const asJson = (payload: object) => ({ payload: JSON.stringify(payload) });
  const json = { "content-type": "application/json" };

  test("describes an invalid parameter, query, header or body in its own words", async () => {
    const details = new Set<string | null>();
    const add = async (...sent: Parameters<typeof detailOf>) => details.add(await detailOf(...sent));
    for (const text of texts) {
      // The router accepts no longer parameters.
      if (endpoint.params && text.length < 100) await add(endpoint, pathOf(endpoint, text));
      for (const name of fieldsOf(endpoint.query)) await add(endpoint, `${pathOf(endpoint)}?${name}=${text}`);
      for (const name of fieldsOf(endpoint.headers))
        await add(endpoint, pathOf(endpoint), { headers: { [name]: text } });
    }
    if (endpoint.body && !endpoint.files && !endpoint.urlEncoded) {
      const bodies = [[], {}, ...body.flatMap((name) => values.map((value) => ({ [name]: value })))];
      for (const each of bodies) await add(endpoint, pathOf(endpoint), { headers: json, ...asJson(each) });
    }
    expect([...details].filter((detail) => detail !== null && zodsOwn.test(detail))).toEqual([]);
  });
});

test.each(["startCall", "buyPhoneNumber"] as const)("%s asks for a key of the right length", async (name) => {
  for (const key of ["short", "x".repeat(101)]) {
    const detail = await detailOf(endpoints[name], pathOf(endpoints[name]), { headers: { "idempotency-key": key } });
    expect(detail).toContain("Send an Idempotency-Key of 8 to 100 characters.");
  }
});

test("a list's limits are named", async () => {
  const { listCalls } = endpoints;
  expect(await detailOf(listCalls, "/v1/calls?limit=201")).toBe("limit must be 200 or less.");
  expect(await detailOf(listCalls, "/v1/calls?limit=0")).toBe("limit must be 1 or more.");
  expect(await detailOf(listCalls, "/v1/calls?limit=x")).toBe("limit must be a number.");
  expect(await detailOf(listCalls, "/v1/calls?direction=up")).toBe("direction must be one of outbound, inbound.");
  expect(await detailOf(listCalls, "/v1/calls?userId=7")).toBe("userId must be an identifier (a UUID).");
});

test.each(carrierModules.map((module) => [module.id, module] as const))(
  "the settings of %s describe invalid values in their own words",
  (_, module) => {
    const values = [7, -1, 1.5, 1e9, "", "x", "x".repeat(200_000), true, null, [], [7], ["x"], {}];
    const issues = Object.keys(module.settings.shape).flatMap((name) =>
      values.flatMap((value) => issuesIn(module, { [name]: value })),
    );
    expect(issues.map(({ message }) => message).filter((message) => zodsOwn.test(message))).toEqual([]);
  },
);
