import { randomUUID } from "node:crypto";
import type { CallStatus } from "@leadline/contract/call-state";
import { sql } from "kysely";
import { costAfter } from "../db/cost-of-call.ts";
import { flatRate } from "./flat-rate.ts";
import type { TestApp } from "./test-app.ts";
import type { Rep } from "./test-calls.ts";

export interface PastCall {
  /** RFC 3339. */
  at: string;
  userId?: string;
  direction?: "outbound" | "inbound";
  status?: Exclude<CallStatus, "queued" | "ringing" | "in-progress">;
  phoneNumber?: string;
  calledNumber?: string;
  talkMs?: number;
  setupMs?: number;
  carrier?: string;
  /** Its cost, whatever its duration; a call with a price costs accordingly. */
  costMicros?: number;
  pricePerMinuteMicros?: number;
  outcomeId?: string;
  leadId?: string;
  note?: string;
}

/**
 * Inserts past calls in the given order and returns their callSids. A call with talkMs was answered. `charged`: their costs are in
 * the ledger, as of today.
 */
export async function leavePastCalls(
  app: Pick<TestApp, "database">,
  rep: Pick<Rep, "id" | "organisationId">,
  calls: readonly PastCall[],
  { charged = false }: { charged?: boolean } = {},
): Promise<string[]> {
  const rows = calls.map((call) => ({
    call_sid: `CA${randomUUID().replaceAll("-", "")}`,
    organisation_id: rep.organisationId,
    user_id: call.userId ?? rep.id,
    direction: call.direction ?? ("outbound" as const),
    status: call.status ?? (call.talkMs === undefined ? ("no-answer" as const) : ("completed" as const)),
    phone_number: call.phoneNumber ?? "+12025550100",
    phone_number_typed: call.phoneNumber ?? "+12025550100",
    called_number: call.calledNumber ?? null,
    carrier: call.carrier ?? "sandbox",
    created_at: call.at,
    answered_at: call.talkMs === undefined ? null : call.at,
    ended_at: call.at,
    reason: "hung-up-here" as const,
    duration_ms: call.talkMs ?? 0,
    setup_ms: call.setupMs ?? null,
    rate: call.pricePerMinuteMicros === undefined ? null : JSON.stringify(flatRate(call.pricePerMinuteMicros)),
    cost_micros: call.costMicros ?? 0,
    outcome_id: call.outcomeId ?? null,
    lead_id: call.leadId ?? null,
    note: call.note ?? "",
    process_key: 0,
  }));
  const sids = rows.map((row) => row.call_sid);
  await app.database.withTransaction({ organisationId: rep.organisationId }, async (tx) => {
    await tx.insertInto("calls").values(rows).execute();
    await tx
      .updateTable("calls")
      .set({ cost_micros: costAfter(sql<number>`duration_ms`) })
      .where("call_sid", "in", sids)
      .where("rate", "is not", null)
      .execute();
    if (charged)
      await tx
        .selectFrom("calls")
        .select(
          sql`ledger_post(organisation_id, 'call:' || call_sid, 'call', 'metered', 'costs', cost_micros, call_sid)`.as(
            "posted",
          ),
        )
        .where("call_sid", "in", sids)
        .where("cost_micros", ">", 0)
        .execute();
  });
  return sids;
}
