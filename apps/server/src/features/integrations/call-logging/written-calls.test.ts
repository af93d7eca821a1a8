import type { Fault } from "@leadline/crm-sandbox/faults";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { writeDueCalls } from "./write-calls.ts";

const app = testApp();
/** Set to each CRM in turn. */
let service: string;
const sandbox = () => app.crm.sandboxOf(service);
/** A number, or text such as "1 min 2 s". */
const isSixtyTwoSeconds = (told: unknown): boolean => told === 62 || String(told).includes("1 min 2 s");
/** These calls as stored in the sandbox CRM. */
const writtenOf = (callSids: readonly string[]) =>
  sandbox()
    .writtenCalls()
    .filter(({ callSid }) => callSids.includes(callSid));
const failNext = (fault: Omit<Fault, "path">): void => sandbox().faults.add({ ...fault, path: sandbox().callsPath });

const { openDeps, changeRows, endCall, endCallOnNoLine, leadWithOwnNumber, makeDue, activityOf, writeAll } =
  callsAtCrms(app);

let admin: Admin;
let integrationId: string;
let lead: { number: string; externalId: string };
describe.each(crmIds)("at %s,", (name) => {
  beforeEach(async () => {
    service = name;
    sandbox().faults.clear();
    admin = await newAdmin(app);
    integrationId = await connectIntegration(app, admin, service);
    await chooseSuggestedSource(app, admin, integrationId);
    await syncToTheEnd(app, admin, integrationId);
    lead = await leadWithOwnNumber(admin);
  });

  describe("a call that has ended", () => {
    test("is logged on its lead's record in the CRM, with a link to it", async () => {
      const callSid = await endCall(admin, lead.number);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
      await writeAll(admin);
      const [written, ...others] = writtenOf([callSid]);
      expect(others).toEqual([]);
      expect(written).toMatchObject({
        leadExternalId: lead.externalId,
        note: expect.stringContaining("https://leadline.example/leads/"),
      });
      const told = [written?.direction ?? written?.note, written?.seconds ?? written?.note];
      expect(told).toEqual([expect.stringMatching(/^outbound$|^Call to /), expect.toSatisfy(isSixtyTwoSeconds)]);
      expect(await activityOf(admin, callSid)).toEqual({
        state: "written",
        url: expect.stringContaining(`${written?.id}`),
        problem: null,
        tries: 0,
      });
    });

    test("is updated in the CRM when its note changes, even while it is being logged", async () => {
      const callSid = await endCall(admin, lead.number);
      failNext({ delayMs: 300 });
      const writing = writeAll(admin);
      await vi.waitFor(async () => expect((await activityOf(admin, callSid))?.tries).toBe(1));
      await changeRows(admin, sql`update calls set note = 'Wants a quote.' where call_sid = ${callSid}`);
      await writing;
      await writeAll(admin);
      expect(writtenOf([callSid])).toMatchObject([{ note: expect.stringContaining("Wants a quote.") }]);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
    });

    test("isn't logged if no CRM lead has its number", async () => {
      const callSid = await endCall(admin, "+493012345678");
      expect(await activityOf(admin, callSid)).toBeNull();
    });
  });

  describe("logging exactly once", () => {
    test("if the CRM's response is lost", async () => {
      const callSid = await endCall(admin, lead.number);
      failNext({ loseAnswer: true });
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({
        state: "waiting",
        problem: expect.any(String),
      });
      expect(writtenOf([callSid])).toHaveLength(1);
      await makeDue(admin);
      await writeAll(admin);
      expect(writtenOf([callSid])).toHaveLength(1);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written", problem: null });
    });

    test("if the server dies after the CRM's response, before recording it", async () => {
      const callSid = await endCall(admin, lead.number);
      const dying = openDeps({
        publishCall: async () => {
          throw new DatabaseUnreachable({ cause: null });
        },
      });
      await expect(writeDueCalls(dying, { organisationId: admin.organisationId })).rejects.toThrow(DatabaseUnreachable);
      expect(writtenOf([callSid])).toHaveLength(1);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
      await makeDue(admin);
      await writeAll(admin);
      expect(writtenOf([callSid])).toHaveLength(1);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
    });

    test("if the note is saved, and another server polls, while the call is being logged", async () => {
      const callSid = await endCall(admin, lead.number);
      failNext({ delayMs: 500 });
      const writing = writeDueCalls(openDeps(), { organisationId: admin.organisationId });
      await vi.waitFor(async () => expect((await activityOf(admin, callSid))?.tries).toBe(1));
      await changeRows(admin, sql`update calls set note = 'Wants a quote.' where call_sid = ${callSid}`);
      await writeAll(admin, openDeps());
      await writing;
      await writeAll(admin);
      expect(writtenOf([callSid])).toMatchObject([{ note: expect.stringContaining("Wants a quote.") }]);
    });

    test("if four servers look at once", async () => {
      const callSids = await Promise.all(
        Array.from({ length: 30 }, () => 0).map(async () => endCallOnNoLine(admin, lead.number)),
      );
      await Promise.all(Array.from({ length: 4 }, () => writeAll(admin, openDeps())));
      const written = writtenOf(callSids).map(({ callSid }) => callSid);
      expect(written.toSorted()).toEqual(callSids.toSorted());
    });
  });

  describe("trouble at the CRM", () => {
    test.each([
      ["a limit", { status: 429, headers: { "retry-after": "7" } }],
      ["an error of its own", { status: 500 }],
    ])("%s makes the call wait, and it is logged later", async (_, fault) => {
      const callSid = await endCall(admin, lead.number);
      failNext(fault);
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting", problem: expect.any(String) });
      expect(writtenOf([callSid])).toEqual([]);
      await makeDue(admin);
      await writeAll(admin);
      expect(writtenOf([callSid])).toHaveLength(1);
    });

    test("revoked access asks to be reconnected and keeps pending calls", async () => {
      const callSid = await endCall(admin, lead.number);
      sandbox().endAllGrants();
      await writeAll(admin);
      expect(await readIntegration(app, admin, integrationId)).toMatchObject({
        problem: expect.stringContaining("Connect it again"),
      });
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
      await giveAccess(app, admin, integrationId, service);
      await writeAll(admin);
      expect(writtenOf([callSid])).toHaveLength(1);
    });

    test.each([
      ["a redirect", { status: 302 }, "sent Leadline to another address"],
      [
        "a proxy's refusal",
        { status: 403, page: "<p>Blocked</p>" },
        "sent a response that Leadline doesn’t understand",
      ],
      [
        "a wrong client secret",
        { status: 400, page: `{"error":"invalid_client"}` },
        "rejected Leadline’s client ID or",
      ],
    ])("access that can't be renewed because of %s keeps pending calls too, and says why", async (_, fault, why) => {
      const callSid = await endCall(admin, lead.number);
      sandbox().expireAccess();
      sandbox().faults.add({ path: /\/token(\/v2)?$/, ...fault });
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({
        state: "waiting",
        problem: expect.stringContaining(why),
      });
      expect((await readIntegration(app, admin, integrationId)).problem).toBeNull();
      await makeDue(admin);
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written", problem: null });
      expect(writtenOf([callSid])).toHaveLength(1);
    });

    test("a call deleted in the CRM is created again, once, when its note changes", async () => {
      const callSid = await endCall(admin, lead.number);
      await writeAll(admin);
      const [first] = writtenOf([callSid]);
      sandbox().deleteCall(first?.id ?? "");
      await changeRows(admin, sql`update calls set note = 'Wants a quote.' where call_sid = ${callSid}`);
      failNext({ loseAnswer: true, after: 1 });
      await writeAll(admin);
      await makeDue(admin);
      await writeAll(admin);
      const [second, ...others] = writtenOf([callSid]);
      expect(others).toEqual([]);
      expect(second?.id).not.toBe(first?.id);
      expect(await activityOf(admin, callSid)).toMatchObject({
        state: "written",
        url: expect.stringContaining(`${second?.id}`),
      });
    });

    test("an answer that isn't the CRM's own doesn't fail the call, which is written later", async () => {
      const callSid = await endCall(admin, lead.number);
      for (const fault of [{ status: 302 }, { page: "<p>Sign in</p>" }, { page: "<p>Not found</p>", status: 404 }]) {
        failNext(fault);
        await writeAll(admin);
        expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting", problem: expect.any(String) });
        await makeDue(admin);
      }
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written", problem: null });
      expect(writtenOf([callSid])).toHaveLength(1);
    });

    test("a refused call says why, until someone retries it", async () => {
      const callSid = await endCall(admin, lead.number);
      failNext({ status: 400, errorCode: "GONE" });
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({
        state: "failed",
        problem: expect.stringContaining("refused"),
      });
      const retry = () => app.ask("POST", `/v1/calls/${callSid}/activity/retry`, { token: admin.token });
      expect((await retry()).statusCode).toBe(204);
      const [entry] = (await app.ask("GET", "/v1/audit-log", { token: admin.token })).json().entries;
      expect(entry).toMatchObject({
        action: "call.write-retried",
        userId: admin.id,
        changes: [{ kind: "call_activities", before: { state: "failed" }, after: { state: "waiting" } }],
      });
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
      expect((await retry()).statusCode).toBe(404);
    });
  });
});
