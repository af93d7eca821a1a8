import type { LeadConditions } from "@leadline/contract/leads";
import type { Tx } from "../../../db/transaction.ts";
import { clockOf, timeZoneOf } from "../../organisations/time-zone.ts";
import type { DueTimes } from "./lead-conditions.table.ts";

const dayMs = 86_400_000;

/** For conditions without `due`. */
const noTimes: DueTimes = { now: "", tomorrow: "", afterAWeek: "" };

/** Queried only if a condition needs it. */
export async function dueTimes(tx: Tx, organisationId: string, { due }: LeadConditions): Promise<DueTimes> {
  if (due === undefined) return noTimes;
  const timeZone = await timeZoneOf(tx, organisationId);
  const now = clockOf(timeZone)(new Date().toISOString());
  const dayAfter = (days: number) => new Date(Date.parse(now.slice(0, 10)) + days * dayMs).toISOString().slice(0, 10);
  return { now, tomorrow: dayAfter(1), afterAWeek: dayAfter(8) };
}
