import type { CostTotals as Totals, RecordSource } from "@leadline/contract/carrier-costs";
import { otherCurrenciesLabel } from "../../components/cost-label.ts";
import { alignCosts } from "../../components/format-money.ts";
import { useTimes } from "../../components/use-times.ts";
import { Notice } from "../../ui/notice.tsx";

export function CostTotals({ totals }: { totals: Totals }) {
  const { matchedCalls, countedMicros, carrierMicros, differing, withoutRecord, withoutCall, otherCurrencies } = totals;
  const foreign = otherCurrenciesLabel(otherCurrencies);
  const format = alignCosts([countedMicros, carrierMicros]);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-4">
      <Figure name="Calls with a record" value={matchedCalls.toLocaleString()} />
      <Figure name="Counted for them" value={format(countedMicros)} />
      <Figure name="Billed by carriers" value={format(carrierMicros)} {...(foreign !== null && { note: foreign })} />
      <Figure
        name="Differences"
        value={(differing + withoutRecord + withoutCall).toLocaleString()}
        note={`${withoutRecord.toLocaleString()} without a record, ${withoutCall.toLocaleString()} without a call`}
      />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-table text-ink-soft">{name}</dt>
      <dd className="mt-0.5">
        <span className="block text-title font-semibold tabular-nums">{value}</span>
        {note === undefined ? null : <span className="text-xs text-ink-soft">{note}</span>}
      </dd>
    </div>
  );
}

/** How recent each account's records are, or why they couldn't be read. */
export function RecordSources({ sources }: { sources: readonly RecordSource[] }) {
  const times = useTimes();
  return sources.map(({ accountId, label, readAt, failure }) =>
    failure === null ? (
      <p key={accountId} className="text-sm text-ink-soft">
        {readAt === null ? (
          `${label}: records are first read within ten minutes.`
        ) : (
          <>
            {label}: records read{" "}
            <time dateTime={readAt} title={times.full(readAt)}>
              {times.when(readAt)}
            </time>
          </>
        )}
      </p>
    ) : (
      <Notice key={accountId} title={`The records of ${label} couldn’t be read`}>
        {failure} Leadline tries again every ten minutes.
      </Notice>
    ),
  );
}
