import { pipeline, Readable } from "node:stream";
import { callOutcomeLabel } from "@leadline/contract/call-outcome-label";
import { stringify } from "csv-stringify";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { findPeriod, selectCalls, type StatementCall } from "./statement.table.ts";

const callsAPage = 1_000;

/** Streams a thousand calls per transaction. The first bytes are a BOM, which tells Excel that the file is UTF-8. */
export async function exportStatement(database: Database, caller: Member, month: string | null): Promise<FileAnswer> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const period = await database.withTransaction(scope, (tx) => findPeriod(tx, { organisationId, month }));

  async function* everyCall(): AsyncGenerator<StatementCall> {
    for (let afterId = 0; ;) {
      const page = { period, afterId, limit: callsAPage };
      const calls = await database.withTransaction(scope, (tx) => selectCalls(tx, organisationId, page));
      yield* calls;
      const last = calls.at(-1);
      if (last === undefined || calls.length < callsAPage) return;
      afterId = last.id;
    }
  }

  const columns = [
    { key: "begunAt", header: `Begun (${period.time_zone})` },
    { key: "who", header: "Who" },
    { key: "phoneNumber", header: "Number" },
    { key: "status", header: "Outcome" },
    { key: "seconds", header: "Seconds" },
    { key: "carrier", header: "Carrier" },
    { key: "cost", header: "Cost (USD)" },
  ];
  const stringifier = stringify({ ...harmlessCells, header: true, columns, bom: true });
  // If either end fails, the other is closed: the client has gone, or gets a truncated file.
  pipeline(Readable.from(everyCall()).map(inWords), stringifier, () => {});
  return { name: `calls-${period.month}.csv`, mediaType: "text/csv; charset=utf-8", content: stringifier };
}

/** In the call log's words, with whole seconds as in its durations. The cost is empty if it isn't known. */
const inWords = ({ costMicros, isUnpriced, reason, ...call }: StatementCall) => ({
  ...call,
  status: callOutcomeLabel({ ...call, cause: reason === null ? null : { reason, sip: null, q850: null } }),
  cost: isUnpriced ? "" : (costMicros / 1_000_000).toFixed(6),
});
