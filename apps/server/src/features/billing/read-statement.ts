import type { Statement } from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { readOtherCurrencies } from "../carrier-records/read-other-currencies.ts";
import { findPeriod, headOf, selectDays, selectNumbers } from "./statement.table.ts";

export async function readStatement(database: Database, caller: Member, month: string | null): Promise<Statement> {
  const organisationId = caller.organisation.id;
  return database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    const period = await findPeriod(tx, { organisationId, month });
    return {
      ...headOf(period),
      days: await selectDays(tx, organisationId, period),
      numbers: await selectNumbers(tx, organisationId, period),
      otherCurrencies: await readOtherCurrencies(tx, organisationId, {
        beganAt: period.began_at,
        endedAt: period.ended_at,
      }),
    };
  });
}
