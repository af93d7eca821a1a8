import { pipeline, Readable } from "node:stream";
import type { Rate } from "@leadline/contract/rates";
import { stringify } from "csv-stringify";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { noCarrierForRates, type RateDeps } from "./rate-deps.ts";
import { rateColumns, toRateRow } from "./rates-csv.ts";
import { findMargin, selectRates } from "./rates.table.ts";

const ratesAPage = 1_000;

/** Streams a page of rates per transaction. Starts with a byte order mark, so that Excel reads UTF-8. */
export async function exportRates(deps: RateDeps, caller: Member, carrierId: string): Promise<FileAnswer> {
  const organisationId = caller.organisation.id;
  const of = { organisationId, carrierId };
  const scope = { userId: caller.userId, organisationId };
  if ((await deps.database.withTransaction(scope, (tx) => findMargin(tx, of))) === null) throw noCarrierForRates();

  async function* everyRate(): AsyncGenerator<string[]> {
    for (let after: string | null = null; ;) {
      const page = { search: null, after, limit: ratesAPage };
      const rates: Rate[] = await deps.database.readInTransaction(scope, (tx) => selectRates(tx, of, page));
      yield* rates.map(toRateRow);
      const last = rates.at(-1);
      if (last === undefined || rates.length < ratesAPage) return;
      after = last.id;
    }
  }

  const columns = rateColumns.map(({ header }) => ({ key: header, header }));
  const stringifier = stringify({ ...harmlessCells, header: true, columns, bom: true });
  // An error at either end ends the other; a client still connected gets a truncated file.
  pipeline(Readable.from(everyRate()), stringifier, () => {});
  return { name: "rates.csv", mediaType: "text/csv; charset=utf-8", content: stringifier };
}
