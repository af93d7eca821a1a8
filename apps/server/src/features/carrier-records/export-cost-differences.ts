import { pipeline, Readable } from "node:stream";
import type { CostDifference, DifferenceKind } from "@leadline/contract/carrier-costs";
import { stringify } from "csv-stringify";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { type DifferencesPage, findPeriod, selectDifferences } from "./differences.table.ts";
import type { AskedOfDifferences } from "./list-cost-differences.ts";

const differencesAtOnce = 1_000;

/** Streams a thousand rows per transaction. Starts with a byte order mark, so that Excel reads UTF-8. */
export async function exportCostDifferences(
  database: Database,
  { organisation, userId }: Member,
  { month, kind }: AskedOfDifferences,
): Promise<FileAnswer> {
  const organisationId = organisation.id;
  const scope = { userId, organisationId };
  const period = await database.withTransaction(scope, (tx) => findPeriod(tx, organisationId, month ?? null));
  const asked = { organisationId, period, kind: kind ?? null };

  async function* everyDifference(): AsyncGenerator<CostDifference> {
    for (let before: string | null = null; ;) {
      const page: DifferencesPage = { before, limit: differencesAtOnce };
      const found = await database.withTransaction(scope, (tx) => selectDifferences(tx, asked, page));
      for (const { difference } of found) yield difference;
      const last = found.at(-1);
      if (last === undefined || found.length < differencesAtOnce) return;
      before = last.cursor;
    }
  }

  const columns = [
    { key: "begunAt", header: "Time (UTC)" },
    { key: "what", header: "What" },
    { key: "phoneNumber", header: "Number" },
    { key: "direction", header: "Direction" },
    { key: "carrier", header: "Carrier" },
    { key: "seconds", header: "Seconds" },
    { key: "counted", header: "Counted (USD)" },
    { key: "carrierCost", header: "Carrier’s cost" },
    { key: "currency", header: "Currency" },
    { key: "difference", header: "Difference (USD)" },
    { key: "callSid", header: "Call" },
  ];
  const stringifier = stringify({ ...harmlessCells, header: true, columns, bom: true });
  // An error at either end ends the other; a client still connected gets a truncated file.
  pipeline(Readable.from(everyDifference()).map(inWords), stringifier, () => {});
  return { name: `carrier-costs-${period.month}.csv`, mediaType: "text/csv; charset=utf-8", content: stringifier };
}

const words: Record<DifferenceKind, string> = {
  differs: "Cost differs",
  "no-record": "No record",
  "no-call": "No call",
};

const inUnits = (micros: number | null): number | null => (micros === null ? null : micros / 1_000_000);

const inWords = ({ kind, countedMicros, carrierCost, differenceMicros, ...difference }: CostDifference) => ({
  ...difference,
  what: words[kind],
  counted: inUnits(countedMicros),
  carrierCost: inUnits(carrierCost?.micros ?? null),
  currency: carrierCost?.currency ?? null,
  difference: inUnits(differenceMicros),
});
