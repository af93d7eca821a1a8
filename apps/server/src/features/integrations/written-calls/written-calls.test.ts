import { randomUUID } from "node:crypto";
import type { CrmModule } from "@leadline/adapter-kit/crm";
import type { CallActivity } from "@leadline/contract/call-activity";
import { CrmService } from "@leadline/contract/integrations";
import type { Fault } from "@leadline/crm-sandbox/faults";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { crms } from "../../../adapters.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  connectIntegration,
  giveAccess,
  leadsOf,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { type WritingDeps, writeDueCalls } from "./write-due-calls.ts";

const app = testApp();
/** Each CRM in turn. */
let service: CrmService;
const sandbox = () => app.crm.sandboxOf(service);
const services = CrmService.options.filter((each) =>
  crms.some(({ module }) => module.id === each && takesCalls(module)),
);
function takesCalls(module: CrmModule): boolean {
  const opened = module.open(module.settings.parse({}), { sandbox: null });
  opened.close();
  return opened.calls !== null;
}
const publicUrl = new URL("https://leadline.example");
const openDeps = (change: Partial<WritingDeps> = {}): WritingDeps => ({
  ...app.crm.openDeps(),
  publicUrl,
  tellCall: async () => {},
  ...change,
});

/** What stands in the sandbox CRM of these calls. */
const writtenOf = (callSids: readonly string[]) =>
  sandbox()
    .writtenCalls()
    .filter(({ callSid }) => callSids.includes(callSid));
const failNext = (fault: Omit<Fault, "path">): void =>
  sandbox().faults.add({ ...fault, path: sandbox().callsPath ?? /^$/ });

async function changeRows(admin: Admin, statement: ReturnType<typeof sql>): Promise<void> {
  await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) => statement.execute(tx));
}

/** A call of 62 s that was answered and has ended. */
async function endCall(admin: Admin, phoneNumber: string): Promise<string> {
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  await changeRows(
    admin,
    sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
        carrier, answered_at, process_key, line)
      values (${callSid}, ${admin.organisationId}, ${admin.id}, 'outbound', 'in-progress', ${phoneNumber}, '', 'sandbox',
        clock_timestamp(), 0, 1)`,
  );
  await changeRows(
    admin,
    sql`update calls set status = 'completed', ended_at = clock_timestamp(), duration_ms = 62000,
      reason = 'hung-up-here' where call_sid = ${callSid}`,
  );
  return callSid;
}

const makeDue = (admin: Admin) =>
  changeRows(
    admin,
    sql`update call_activities set due_at = clock_timestamp() where organisation_id = ${admin.organisationId}`,
  );

type StoredActivity = Pick<CallActivity, "state" | "url" | "problem"> & { tries: number };
async function activityOf(admin: Admin, callSid: string): Promise<StoredActivity | null> {
  const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
    sql<StoredActivity>`select state, url, problem, tries from call_activities where call_sid = ${callSid}`.execute(tx),
  );
  return rows[0] ?? null;
}

async function writeAll(admin: Admin, deps = openDeps()): Promise<void> {
  const { organisationId } = admin;
  for (let written = 1; written > 0;) written = await writeDueCalls(deps, { organisationId });
}

let admin: Admin;
let integrationId: string;
let lead: { number: string; externalId: string };
/** Many at once, as a person has two lines only. */
async function endCallOnNoLine(): Promise<string> {
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  await changeRows(
    admin,
    sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
        carrier, process_key, ended_at, reason)
      values (${callSid}, ${admin.organisationId}, ${admin.id}, 'outbound', 'no-answer', ${lead.number}, '', 'sandbox',
        0, clock_timestamp(), 'no-answer')`,
  );
  return callSid;
}

describe.each(services)("at %s,", (name) => {
  beforeEach(async () => {
    service = name;
    sandbox().faults.clear();
    admin = await newAdmin(app);
    integrationId = await connectIntegration(app, admin, service);
    await syncToTheEnd(app, admin, integrationId);
    const all = await leadsOf(app, admin);
    const have = (number: string | null) => all.filter(({ phone_number }) => phone_number === number).length;
    const first = all.find(({ phone_number }) => phone_number !== null && have(phone_number) === 1);
    lead = { number: first?.phone_number ?? "", externalId: first?.external_id ?? "" };
  });

  describe("a call that has ended", () => {
    test("stands on its lead's record in the CRM, with a link to it", async () => {
      const callSid = await endCall(admin, lead.number);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
      await writeAll(admin);
      const [written, ...others] = writtenOf([callSid]);
      expect(others).toEqual([]);
      expect(written).toMatchObject({
        leadExternalId: lead.externalId,
        direction: "outbound",
        seconds: 62,
        note: expect.stringContaining("https://leadline.example/leads/"),
      });
      expect(await activityOf(admin, callSid)).toEqual({
        state: "written",
        url: expect.stringContaining(`${written?.id}`),
        problem: null,
        tries: 0,
      });
    });

    test("is changed there where its note changes, also while it is being written", async () => {
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

    test("is not written where nobody of a CRM has its number", async () => {
      const callSid = await endCall(admin, "+493012345678");
      expect(await activityOf(admin, callSid)).toBeNull();
    });
  });

  describe("written once", () => {
    test("though the CRM's answer is lost", async () => {
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

    test("though the server dies between the CRM's answer and writing that down", async () => {
      const callSid = await endCall(admin, lead.number);
      const dying = openDeps({
        tellCall: async () => {
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

    test("though four servers look at once", async () => {
      const callSids = await Promise.all(Array.from({ length: 30 }, () => 0).map(async () => endCallOnNoLine()));
      await Promise.all(Array.from({ length: 4 }, () => writeAll(admin, openDeps())));
      const written = writtenOf(callSids).map(({ callSid }) => callSid);
      expect(written.toSorted()).toEqual(callSids.toSorted());
    });
  });

  describe("trouble at the CRM", () => {
    test.each([
      ["a limit", { status: 429, headers: { "retry-after": "7" } }],
      ["an error of its own", { status: 500 }],
    ])("%s lets the call wait, and it is written later", async (_, fault) => {
      const callSid = await endCall(admin, lead.number);
      failNext(fault);
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting", problem: expect.any(String) });
      expect(writtenOf([callSid])).toEqual([]);
      await makeDue(admin);
      await writeAll(admin);
      expect(writtenOf([callSid])).toHaveLength(1);
    });

    test("access that was taken away asks to connect again and keeps what waits", async () => {
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

    test("what it refuses says why, until somebody tries again", async () => {
      const callSid = await endCall(admin, lead.number);
      failNext({ status: 400, errorCode: "GONE" });
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({
        state: "failed",
        problem: expect.stringContaining("refused"),
      });
      const retry = () => app.ask("POST", `/v1/calls/${callSid}/activity/retry`, { token: admin.token });
      expect((await retry()).statusCode).toBe(204);
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
      expect((await retry()).statusCode).toBe(404);
    });
  });

  describe("a number that several leads have", () => {
    async function shareNumber(): Promise<string> {
      const body = { firstName: "Robin", lastName: "Other", email: "robin@other.example", phone: lead.number };
      return (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
    }
    const choose = (callSid: string, leadId: string) =>
      app.ask("PUT", `/v1/calls/${callSid}/activity`, { token: admin.token, body: { leadId } });
    const idOf = async (externalId: string): Promise<string> => {
      const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
        sql<{ id: string }>`select id from leads where organisation_id = ${admin.organisationId}
        and external_id = ${externalId}`.execute(tx),
      );
      return rows[0]?.id ?? "";
    };

    test("has its calls wait until somebody says whose they are, and then they all are", async () => {
      await shareNumber();
      const callSids = [await endCall(admin, lead.number), await endCall(admin, lead.number)];
      await writeAll(admin);
      expect(writtenOf(callSids)).toEqual([]);
      expect(await activityOf(admin, callSids[0] ?? "")).toMatchObject({ state: "to-sort" });
      expect((await choose(callSids[0] ?? "", await idOf(lead.externalId))).statusCode).toBe(204);
      const next = await endCall(admin, lead.number);
      await writeAll(admin);
      const written = writtenOf([...callSids, next]);
      expect(written.map(({ leadExternalId }) => leadExternalId)).toEqual([
        lead.externalId,
        lead.externalId,
        lead.externalId,
      ]);
    });

    test("has nothing written of a lead that came from nowhere", async () => {
      const other = await shareNumber();
      const callSid = await endCall(admin, lead.number);
      expect((await choose(callSid, other)).statusCode).toBe(204);
      expect(await activityOf(admin, callSid)).toBeNull();
      const next = await endCall(admin, lead.number);
      expect(await activityOf(admin, next)).toBeNull();
    });

    test("is not given to somebody with another one", async () => {
      await shareNumber();
      const callSid = await endCall(admin, lead.number);
      const body = { firstName: "Kim", lastName: "Else", email: "kim@else.example", phone: "+12025550111" };
      const elsewhere = (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
      expect((await choose(callSid, elsewhere)).statusCode).toBe(404);
      expect((await choose(callSid, randomUUID())).statusCode).toBe(404);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
    });
  });
});
