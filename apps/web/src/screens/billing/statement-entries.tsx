import {
  type EntryKind,
  entryKinds,
  exportStatementEntries,
  exportStatementPdf,
  type StatementEntry,
} from "@leadline/contract/billing";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { DayField } from "../../components/day-field.tsx";
import { alignCosts } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useTimes } from "../../components/use-times.ts";
import { requestFile } from "../../data/api-client.ts";
import { type EntriesFilter, entriesAsked, entriesQuery } from "../../data/billing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { monthName } from "./months.ts";

const kindNames: Record<EntryKind, string> = {
  call: "Call",
  correction: "Cost correction",
  number: "Phone number",
  "top-up": "Top-up",
  refund: "Refund",
  chargeback: "Chargeback",
  adjustment: "Adjustment",
};
const everyKind = "all";

/** The ledger entries of the month, or of some of its days, each with the resulting balance. */
export function StatementEntries({ month }: { month: string }) {
  const [{ kind, from, to }, setFilter] = useState<Omit<EntriesFilter, "month">>({});
  const narrow = (change: Omit<EntriesFilter, "month">) => setFilter((filter) => ({ ...filter, ...change }));
  const filter: EntriesFilter = { month, kind, from, to };
  const entries = useInfiniteQuery(entriesQuery(filter));
  const exporting = useMutation({
    mutationFn: () => requestFile(exportStatementEntries, { query: entriesAsked(filter) }),
    onSuccess: (content) => saveFile(content, `statement-${month}.csv`),
  });
  const printing = useMutation({
    mutationFn: () => requestFile(exportStatementPdf, { query: entriesAsked(filter) }),
    onSuccess: (content) => saveFile(content, `statement-${month}.pdf`),
  });
  const shown = entries.data?.pages.flatMap((page) => page.entries);
  return (
    <section aria-labelledby="entries" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="entries" className="text-base font-semibold">
          Statement
        </h2>
        <div className="flex flex-wrap items-end gap-2">
          <DayField label="From" day={from ?? null} onDay={(day) => narrow({ from: day ?? undefined })} />
          <DayField label="To" day={to ?? null} onDay={(day) => narrow({ to: day ?? undefined })} />
          <Select
            aria-label="Kind of entry"
            className="w-40"
            options={[
              { value: everyKind, label: "All entries" },
              ...entryKinds.map((value) => ({ value, label: kindNames[value] })),
            ]}
            value={kind ?? everyKind}
            onValueChange={(value) => narrow({ kind: entryKinds.find((one) => one === value) })}
          />
          <Button tone="plain" className="max-md:h-11" busy={exporting.isPending} onClick={() => exporting.mutate()}>
            <Download aria-hidden="true" /> Download CSV
          </Button>
          <Button tone="plain" className="max-md:h-11" busy={printing.isPending} onClick={() => printing.mutate()}>
            <Download aria-hidden="true" /> Download PDF
          </Button>
        </div>
      </div>
      {printing.isError ? <Notice>{problemDetail(printing.error)}</Notice> : null}
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
      {shown ? (
        <Entries
          entries={shown}
          none={from || to ? "No entries on these days." : `No entries in ${monthName(month)}.`}
        />
      ) : entries.isError ? (
        <LoadFailed what="The statement’s entries" query={entries} />
      ) : (
        <Skeleton className="h-32 w-full rounded-md" />
      )}
      {shown && entries.isFetchNextPageError ? <Notice>{problemDetail(entries.error)}</Notice> : null}
      {entries.hasNextPage ? (
        <Button
          tone="plain"
          className="self-start max-md:h-11"
          busy={entries.isFetchingNextPage}
          onClick={() => void entries.fetchNextPage()}
        >
          Show older entries
        </Button>
      ) : null}
    </section>
  );
}

function Entries({ entries, none }: { entries: readonly StatementEntry[]; none: string }) {
  const times = useTimes();
  if (entries.length === 0) return <p className="text-sm text-ink-soft">{none}</p>;
  const formatAmount = signed(alignCosts(entries.map(({ amountMicros }) => amountMicros)));
  const formatRunning = signed(alignCosts(entries.map(({ runningMicros }) => runningMicros)));
  return (
    <Table label="Entries">
      <TableHead>
        <TableRow>
          <TableHeadCell>Time</TableHeadCell>
          <TableHeadCell>Entry</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Who</TableHeadCell>
          <TableHeadCell align="right">Amount</TableHeadCell>
          <TableHeadCell align="right" className="max-md:hidden">
            Account
          </TableHeadCell>
          <TableHeadCell align="right">After it</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {entries.map((entry) => (
          <TableRow key={entry.id}>
            <TableCell className="whitespace-nowrap">
              <time dateTime={entry.postedAt} title={times.full(entry.postedAt)}>
                {times.when(entry.postedAt)}
              </time>
            </TableCell>
            <TableCell>
              {entry.phoneNumber === null
                ? kindNames[entry.kind]
                : `${kindNames[entry.kind]}, ${formatPhoneNumber(entry.phoneNumber)}`}
            </TableCell>
            <TableCell className="text-ink-soft max-md:hidden">{entry.userName ?? "–"}</TableCell>
            <TableCell align="right" className="whitespace-nowrap">
              {formatAmount(entry.amountMicros)}
            </TableCell>
            <TableCell align="right" className="text-ink-soft max-md:hidden">
              {accountNames[entry.account]}
            </TableCell>
            <TableCell align="right" className="whitespace-nowrap">
              {formatRunning(entry.runningMicros)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const accountNames: Record<StatementEntry["account"], string> = {
  balance: "Balance",
  carrier: "Carrier’s bill",
  "write-off": "Written off",
};

/** With a typographic minus sign. */
const signed = (format: (micros: number) => string) => (micros: number) => format(micros).replace("-", "−");
