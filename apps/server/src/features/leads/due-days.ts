import type { LeadConditions } from "@leadline/contract/leads";
import type { Tx } from "../../db/transaction.ts";
import { timeZoneOf } from "../organisations/time-zone.ts";
import type { DueDays } from "./lead-conditions.table.ts";

const weekMs = 7 * 86_400_000;

/** Read only where a condition asks for it. */
export async function dueDays(tx: Tx, organisationId: string, { due }: LeadConditions): Promise<DueDays> {
  const timeZone = due === undefined ? "UTC" : await timeZoneOf(tx, organisationId);
  const dayAt = (ms: number) => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(ms);
  return { today: dayAt(Date.now()), inAWeek: dayAt(Date.now() + weekMs) };
}
