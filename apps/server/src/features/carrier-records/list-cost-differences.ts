import type { listCostDifferences as endpoint, DifferenceKind } from "@leadline/contract/carrier-costs";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { findPeriod, selectDifferences, selectSources, selectTotals } from "./differences.table.ts";

const differencesAPage = 50;

export interface AskedOfDifferences {
  month?: string | undefined;
  kind?: DifferenceKind | undefined;
}

export function listCostDifferences(
  database: Database,
  { organisation, userId }: Member,
  { month, kind, before }: AskedOfDifferences & { before?: string | undefined },
): Promise<ResponseOf<typeof endpoint>> {
  const organisationId = organisation.id;
  return database.withTransaction({ userId, organisationId }, async (tx) => {
    const period = await findPeriod(tx, organisationId, month ?? null);
    const asked = { organisationId, period, kind: kind ?? null };
    const found = await selectDifferences(tx, asked, { before: before ?? null, limit: differencesAPage + 1 });
    const shown = found.slice(0, differencesAPage);
    return {
      month: period.month,
      sources: await selectSources(tx, organisationId),
      totals: await selectTotals(tx, organisationId, period),
      differences: shown.map(({ difference }) => difference),
      next: found.length > shown.length ? (shown.at(-1)?.cursor ?? null) : null,
    };
  });
}
