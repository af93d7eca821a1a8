import type { AuditChange, AuditEntry } from "@leadline/contract/audit-log";
import { ArrowRight } from "lucide-react";
import { nameDevice } from "../../components/name-device.ts";
import { useTimes } from "../../components/use-times.ts";
import { actionLabel, columnLabel, kindLabel, valueLabel } from "./audit-labels.ts";

interface AuditEntryRowProps {
  entry: AuditEntry;
  people: Record<string, string>;
}

export function AuditEntryRow({ entry, people }: AuditEntryRowProps) {
  const times = useTimes();
  const { action, at, userName, byLeadline, userAgent, address, changes } = entry;
  const who = userName || "someone who wasn’t logged in";
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0 md:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-sm wrap-anywhere">
          <span className="font-semibold">{actionLabel(action)}</span>{" "}
          {byLeadline ? "automatically by Leadline" : `by ${who}`}
        </p>
        <time dateTime={at} title={times.full(at)} className="text-table whitespace-nowrap text-ink-soft">
          {times.when(at)}
        </time>
      </div>
      <ul aria-label="What changed" className="flex flex-col gap-2">
        {changes.map((change, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries never change
          <Change key={index} change={change} people={people} leadsInAll={leadsInAll(changes)} />
        ))}
      </ul>
      {/* Blank for Leadline, and once the person has deleted their account. */}
      {address === "" ? null : (
        <p className="text-xs wrap-anywhere text-ink-soft">
          From <span className="tabular-nums">{address}</span> · <span title={userAgent}>{nameDevice(userAgent)}</span>
        </p>
      )}
    </li>
  );
}

const operationWords = { created: "added", changed: "changed", deleted: "deleted" } as const;

/** A change of many leads stores how many they were. Null for other entries. */
function leadsInAll(changes: readonly AuditChange[]): number | null {
  const ofMany = changes.find(({ kind, operation }) => kind === "lead_changes" && operation === "created");
  const total = ofMany?.after?.["total"];
  return typeof total === "number" ? total : null;
}

/** Null for an entry from before they were counted. */
function unlisted(after: AuditChange["after"]): string | null {
  const count = after?.["count"];
  if (typeof count !== "number") return null;
  return count === 1 ? "1 more change isn’t listed." : `${count.toLocaleString("en")} more changes aren’t listed.`;
}

interface ChangeProps {
  change: AuditChange;
  people: Record<string, string>;
  leadsInAll: number | null;
}

function Change({ change, people, leadsInAll: inAll }: ChangeProps) {
  const { kind, subject, operation, before, after } = change;
  const what = subject === "" ? kindLabel(kind) : `${kindLabel(kind)} ${subject}`;
  if (operation === "more")
    return (
      <li className="text-table text-ink-soft">
        {unlisted(after) ?? `${what} and others changed too. They aren’t listed.`}
        {inAll === null ? "" : ` In all, ${inAll.toLocaleString("en")} leads changed.`}
      </li>
    );
  // What a finished sync did.
  const isSync = kind === "sync_runs" && operation === "changed";
  const title = isSync ? `Sync of ${subject}` : `${what} ${operationWords[operation]}`;
  const values = <Values before={before} after={after} people={people} />;
  return (
    <li className="text-table wrap-anywhere">
      {operation === "changed" ? (
        <>
          <p>{title}</p>
          {values}
        </>
      ) : (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 max-md:py-2.5">{title}</summary>
          {values}
        </details>
      )}
    </li>
  );
}

function Values({ before, after, people }: Pick<AuditChange, "before" | "after"> & Pick<AuditEntryRowProps, "people">) {
  const times = useTimes();
  const words = (column: string, values: Record<string, unknown> | null): string =>
    valueLabel(values?.[column], { column, people, time: times.full });
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <dl className="mt-1 grid gap-x-4 gap-y-1 border-l-2 border-line pl-3 md:grid-cols-[10rem_minmax(0,1fr)]">
      {columns.map((column) => (
        <div key={column} className="contents max-md:block">
          <dt className="text-ink-soft">{columnLabel(column)}</dt>
          <dd>
            {before === null || after === null ? (
              words(column, before ?? after)
            ) : (
              <>
                <del className="text-ink-soft">
                  <span className="sr-only">Before: </span>
                  {words(column, before)}
                </del>{" "}
                <ArrowRight className="inline size-3.5 text-ink-soft" aria-hidden="true" />{" "}
                <span className="sr-only">After: </span>
                {words(column, after)}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
