import type { Tx } from "../../db/transaction.ts";
import { invalidInput } from "../../http/read-input.ts";
import { timeZoneOf } from "./time-zone.ts";

/** Refuses a day to call back that is over on the organisation's clock, unless it's the one that is set already. */
export async function refusePastDay(
  tx: Tx,
  { organisationId, day, current }: { organisationId: string; day: string | null | undefined; current: string | null },
): Promise<void> {
  if (day === null || day === undefined || day === current) return;
  const timeZone = await timeZoneOf(tx, organisationId);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
  if (day < today) throw invalidInput([{ path: ["followUpOn"], message: "Choose today or a later day." }]);
}
