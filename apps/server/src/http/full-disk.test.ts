import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { endpoint } from "@leadline/contract/endpoint";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { testApp } from "../testing/test-app.ts";
import { newAdmin } from "../testing/test-integrations.ts";
import { ownerPool } from "../testing/test-database.ts";
import { createHttpServer } from "./create-http-server.ts";
import { route } from "./route.ts";

const app = testApp();
const owner = ownerPool();

test("a full database disk is a 503 that says so, and a retry succeeds once there is space", async () => {
  const rep = await newAdmin(app);
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  const { id } = (await app.ask("POST", "/v1/leads", { token: rep.token, body: lead })).json();
  const note = () => app.ask("POST", `/v1/leads/${id}/notes`, { token: rep.token, body: { text: "Asks for a quote" } });
  // PostgreSQL's own error, raised by the statement that would need space.
  const name = `full_${rep.organisationId.replaceAll("-", "")}`;
  await owner.query(`create function ${name}() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await owner.query(`create trigger ${name} before insert on lead_notes for each row
    when (new.organisation_id = '${rep.organisationId}') execute function ${name}()`);
  try {
    const refused = await note();
    expect({ status: refused.statusCode, retryAfter: refused.headers["retry-after"] }).toEqual({
      status: 503,
      retryAfter: "30",
    });
    expect(refused.json()).toMatchObject({
      type: "/api/docs#unavailable",
      detail: expect.stringMatching(/disk is full/),
    });
  } finally {
    await owner.query(`drop function ${name} cascade`);
  }
  expect((await note()).statusCode).toBe(201);
});

test("a full disk on the server itself is the same 503", async () => {
  const keep = endpoint({
    method: "POST",
    path: "/v1/keep",
    summary: "For a test",
    access: "public",
    audit: null,
    success: [204, null],
    problems: [],
  });
  // Linux has a device that is always full; elsewhere the error is simulated.
  const fillDisk = existsSync("/dev/full")
    ? () => writeFile("/dev/full", "x")
    : () => Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
  const routes = [route(keep, () => fillDisk().then(() => undefined))];
  const options = { log: createLog("silent"), authenticate: async () => null };
  const server = await createHttpServer({ routes, endpoints: { keep }, ...options });
  const answer = await server.inject({ method: "POST", url: "/api/v1/keep" });
  expect({ status: answer.statusCode, detail: answer.json().detail }).toEqual({
    status: 503,
    detail:
      "The server’s disk is full, so nothing was saved. Tell your administrator, and try again once there is space.",
  });
});

test("a zero byte in a text, which PostgreSQL can't store, is reported as the caller's error", async () => {
  const rep = await newAdmin(app);
  const body = { name: "Harbour", description: "Sal\0t" };
  const refused = await app.ask("POST", "/v1/organisations", { token: rep.token, body });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ type: "/api/docs#invalid-input", detail: expect.stringMatching(/zero byte/) });
});
