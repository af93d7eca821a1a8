import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import type { TestApp } from "./test-app.ts";
import type { Rep } from "./test-calls.ts";

export interface PastTrunkCall {
  callSid: string;
  /** Null: the vendor's headers didn't name it. */
  carrierCallId: string | null;
  phoneNumber: string;
  seconds: number;
  begunAt: Date;
}
/** Millionths of a dollar. */
export const counted = 10_000;

/** Calls that ended a while ago through the account's trunk, each charged at the same price. */
export async function haveCalled(
  app: Pick<TestApp, "database">,
  rep: Rep,
  account: Pick<CarrierAccount, "id" | "carrierId">,
  calls: readonly PastTrunkCall[],
): Promise<void> {
  const { organisationId } = rep;
  const at = (ms: number) => new Date(ms).toISOString();
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const rows = calls.map(({ callSid, phoneNumber, seconds, begunAt }) => ({
      call_sid: callSid,
      organisation_id: organisationId,
      user_id: rep.id,
      direction: "outbound" as const,
      status: "in-progress" as const,
      phone_number: phoneNumber,
      phone_number_typed: phoneNumber,
      carrier: "sip-trunk",
      carrier_connection_id: account.carrierId,
      line: null,
      process_key: 0,
      created_at: at(begunAt.getTime()),
      answered_at: at(begunAt.getTime() + 2_000),
      duration_ms: seconds * 1_000,
      cost_micros: counted,
    }));
    await tx.insertInto("calls").values(rows).execute();
    // Updates it like a call that ends, which charges it.
    await tx
      .updateTable("calls")
      .set((row) => ({ status: "completed", ended_at: row.ref("answered_at"), reason: "hung-up-here" }))
      .where("organisation_id", "=", organisationId)
      .where("ended_at", "is", null)
      .execute();
    const legs = calls.flatMap(({ callSid, carrierCallId }) =>
      carrierCallId === null
        ? []
        : [
            {
              organisation_id: organisationId,
              connection_id: account.carrierId,
              carrier_call_id: carrierCallId,
              call_sid: callSid,
            },
          ],
    );
    if (legs.length > 0) await tx.insertInto("carrier_legs").values(legs).execute();
    // Records are read from the account's first day on.
    await tx
      .updateTable("carrier_accounts")
      .set({ created_at: at(Date.now() - 86_400_000) })
      .where("id", "=", account.id)
      .execute();
  });
}
