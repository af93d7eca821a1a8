import { useMutation, type UseQueryResult } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableHead, TableRow } from "../../ui/table.tsx";

interface RowListProps<Row> {
  /** In lower case: "duplicates". */
  what: string;
  rows: UseQueryResult<Row[]>;
  /** The total number of rows. */
  count: number;
  empty: string;
  head: ReactNode;
  /** Renders a row of the table. */
  children: (row: Row) => ReactNode;
  download: () => Promise<void>;
}

/** The first rows of a kind from an import's file, with a CSV of all of them. */
export function RowList<Row>({ what, rows, count, empty, head, children, download }: RowListProps<Row>) {
  const exporting = useMutation({ mutationFn: download });
  const title = what.charAt(0).toUpperCase() + what.slice(1);
  const listed = rows.data?.length ?? 0;
  return (
    <div className="flex max-w-[840px] flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">
          {listed > 0 && count > listed
            ? `The first ${listed.toLocaleString()} of ${count.toLocaleString()} ${what}`
            : title}
        </h2>
        {listed > 0 ? (
          <Button tone="plain" size="small" busy={exporting.isPending} onClick={() => exporting.mutate()}>
            <Download aria-hidden="true" /> Download CSV
          </Button>
        ) : null}
      </div>
      {exporting.isError ? <Notice title="Nothing was downloaded">{problemDetail(exporting.error)}</Notice> : null}
      {rows.data ? (
        listed > 0 ? (
          <Table label={title} scrollClassName="max-h-96">
            <TableHead>
              <TableRow>{head}</TableRow>
            </TableHead>
            <TableBody>{rows.data.map(children)}</TableBody>
          </Table>
        ) : (
          <p className="text-sm text-ink-soft">{empty}</p>
        )
      ) : rows.isError ? (
        <LoadFailed what={`The ${what}`} query={rows} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-px rounded-md border border-line bg-panel">
          <output className="sr-only">Loading the {what}</output>
          {Array.from({ length: Math.min(Math.max(count, 1), 5) }, (_, index) => (
            <div key={String(index)} className="flex h-10 items-center gap-6 px-4">
              <Skeleton className="h-4 w-8" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
