import { setImmediate as nextTurn } from "node:timers/promises";
import { maxRates, type RateInput } from "@leadline/contract/rates";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member, ReceivedFile } from "../../http/route.ts";
import type { Asker } from "../../threads/open-work-thread.ts";
import { countDaily } from "../attempts/count-daily.ts";
import { isEmptyRow, UnreadableCsv } from "../lead-imports/reading/parse-row.ts";
import { readCells, readHeader, tidyCsv } from "../lead-imports/reading/read-csv.ts";
import { dayNow } from "../organisations/time-zone.ts";
import { saveRates } from "./change-rates.ts";
import { noCarrierForRates, type RateDeps } from "./rate-deps.ts";
import { findRateColumns, readRateRow } from "./rates-csv.ts";
import { findMargin } from "./rates.table.ts";

/** How many errors are listed. The rest are counted. */
const faultsShown = 5;
/** How many rows are read before other requests get their turn. */
const rowsATurn = 500;

/** Per person, in all their organisations. */
const maxPerDay = 100;

/** Validates the whole file before changing anything: one invalid row refuses it. */
export async function importRates(
  deps: Pick<RateDeps, "database" | "alertOwners">,
  caller: Member,
  {
    carrierId,
    file,
    gone,
    currentPassword,
  }: { carrierId: string; file: ReceivedFile | undefined; gone: AbortSignal; currentPassword?: string | undefined },
): Promise<{ imported: number }> {
  if (file === undefined) throw invalidInput([{ path: ["file[]"], message: "Choose a file." }]);
  await countDaily(deps.database.withTransaction, "rates import", {
    by: caller.userId,
    most: maxPerDay,
    sentence: `You can import ${maxPerDay} files of rates a day.`,
  });
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const today = await deps.database.withTransaction(scope, async (tx) => {
    if ((await findMargin(tx, { organisationId, carrierId })) === null) throw noCarrierForRates();
    return dayNow(tx, organisationId);
  });
  const rates = await readRates(file, { today, by: organisationId, signal: gone });
  const saved = await saveRates(deps, caller, { carrierId, currentPassword, rates });
  return { imported: saved.length };
}

async function readRates(
  { name, path }: ReceivedFile,
  { today, ...asker }: { today: string } & Asker,
): Promise<RateInput[]> {
  const refused = (why: string) => new Problem("file-refused", `“${name}” can’t be imported. ${why}`);
  const rates = new Map<string, RateInput>();
  const faults: string[] = [];
  let rowCount = 0;
  try {
    const delimiter = await tidyCsv(path, asker);
    const header = await readHeader({ path, delimiter }, asker);
    if (isEmptyRow(header.cells)) throw refused("The first row must contain the column names.");
    const columns = findRateColumns(header.cells);
    if ("missing" in columns) throw refused(columns.missing);
    const place = { path, delimiter, startByte: header.end, rowsBefore: 1 };
    for await (const part of readCells({ ...place, keep: maxRates, ...asker })) {
      for (const cells of part.kept) {
        rowCount += 1;
        if (rowCount % rowsATurn === 0) await nextTurn();
        const read = readRateRow(cells, columns, today);
        if ("message" in read) faults.push(`Row ${rowCount + 1}: ${read.message}`);
        else rates.set(`${read.rate.prefix} ${read.rate.effectiveFrom}`, read.rate);
      }
      if (rowCount > maxRates) throw refused(`It has more than ${maxRates.toLocaleString("en")} rows.`);
    }
  } catch (error) {
    throw error instanceof UnreadableCsv ? refused(error.message) : error;
  }
  if (faults.length > 0) {
    const more = faults.length - faultsShown;
    throw refused(
      `${faults.slice(0, faultsShown).join(" ")}${more > 0 ? ` And ${more} more.` : ""} Nothing was imported.`,
    );
  }
  if (rates.size === 0) throw refused("It has no rows after the column names.");
  return [...rates.values()];
}
