import { randomUUID } from "node:crypto";
import type { CallActivity } from "@leadline/contract/call-activity";
import { sql } from "kysely";
import type { WritingDeps } from "../features/integrations/outbox/write-due.ts";
import { writeDueCalls } from "../features/integrations/call-logging/write-calls.ts";
import type { TestApp } from "./test-app.ts";
import { type Admin, leadsOf } from "./test-integrations.ts";

type StoredActivity = Pick<CallActivity, "state" | "url" | "problem"> & { tries: number };

/** Ended calls, and how they reach a CRM. */
export function callsAtCrms(app: TestApp) {
  const publicUrl = new URL("https://leadline.example");
  const openDeps = (change: Partial<WritingDeps> = {}): WritingDeps => ({
    ...app.crm.openDeps(),
    publicUrl,
    publishCall: async () => {},
    ...change,
  });

  async function changeRows(admin: Admin, statement: ReturnType<typeof sql>): Promise<void> {
    await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) => statement.execute(tx));
  }

  /** An answered call of 62 s that has ended. `during` runs before it ends. */
  async function endCall(
    admin: Admin,
    phoneNumber: string,
    options: { leadId?: string; during?: (callSid: string) => Promise<unknown> } = {},
  ): Promise<string> {
    const callSid = `CA${randomUUID().replaceAll("-", "")}`;
    await changeRows(
      admin,
      sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
          carrier, answered_at, process_key, line, lead_id)
        values (${callSid}, ${admin.organisationId}, ${admin.id}, 'outbound', 'in-progress', ${phoneNumber}, '', 'sandbox',
          clock_timestamp(), 0, 1, ${options.leadId ?? null})`,
    );
    await options.during?.(callSid);
    await changeRows(
      admin,
      sql`update calls set status = 'completed', ended_at = clock_timestamp(), duration_ms = 62000,
        reason = 'hung-up-here' where call_sid = ${callSid}`,
    );
    return callSid;
  }

  /** Every wait is over. */
  async function makeDue(admin: Admin): Promise<void> {
    const ofAdmin = sql`where organisation_id = ${admin.organisationId}`;
    await changeRows(admin, sql`update call_activities set due_at = clock_timestamp() ${ofAdmin}`);
    await changeRows(admin, sql`update integrations set paused_until = null ${ofAdmin}`);
  }

  async function activityOf(admin: Admin, callSid: string): Promise<StoredActivity | null> {
    const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
      sql<StoredActivity>`select state, url, problem, tries from call_activities where call_sid = ${callSid}`.execute(
        tx,
      ),
    );
    return rows[0] ?? null;
  }

  async function writeAll(admin: Admin, deps = openDeps()): Promise<void> {
    const { organisationId } = admin;
    for (let written = 1; written > 0;) written = await writeDueCalls(deps, { organisationId });
  }

  /** Inserts an ended call directly: a rep only has two lines, and tests need many calls. */
  async function endCallOnNoLine(admin: Admin, phoneNumber: string): Promise<string> {
    const callSid = `CA${randomUUID().replaceAll("-", "")}`;
    await changeRows(
      admin,
      sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
          carrier, process_key, ended_at, reason)
        values (${callSid}, ${admin.organisationId}, ${admin.id}, 'outbound', 'no-answer', ${phoneNumber}, '', 'sandbox',
          0, clock_timestamp(), 'no-answer')`,
    );
    return callSid;
  }

  /** A lead whose number no other lead has. */
  async function leadWithOwnNumber(admin: Admin): Promise<{ number: string; externalId: string }> {
    const all = await leadsOf(app, admin);
    const have = (number: string | null) => all.filter(({ phone_number }) => phone_number === number).length;
    const first = all.find(({ phone_number }) => phone_number !== null && have(phone_number) === 1);
    return { number: first?.phone_number ?? "", externalId: first?.external_id ?? "" };
  }

  return { openDeps, changeRows, endCall, endCallOnNoLine, leadWithOwnNumber, makeDue, activityOf, writeAll };
}
