import type { Lead, LeadCount, LeadSort } from "@leadline/contract/leads";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { DeleteLeadDialog } from "../../components/delete-lead-dialog.tsx";
import { EditLeadDialog } from "../../components/edit-lead-dialog.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { useWide } from "../../components/use-wide.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Table, TableBody } from "../../ui/table.tsx";
import { actionsWidth, columnOf, type LeadColumnKey } from "./lead-columns.tsx";
import { LeadRow } from "./lead-row.tsx";
import { LeadsHead } from "./leads-head.tsx";
import type { Selection } from "./use-selection.ts";

/** Forty pixels and the border; two lines of text on a narrow screen. */
const rowHeights = { wide: 41, narrow: 61 };
/** How many rows before the end the next page is requested. */
const readAhead = 30;

interface LeadsTableProps {
  leads: readonly Lead[];
  columns: readonly LeadColumnKey[];
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: Selection;
  /** The search behind these rows. Another search starts at the top. */
  search: string;
  /** The total number of matches. Null if they haven't been counted. */
  total: LeadCount | null;
  /** The rows are from the previous filter. */
  stale: boolean;
  more: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
}

/** Only the visible rows are in the DOM; two empty rows take the height of those before and after. */
export function LeadsTable({ leads, columns, sort, onSort, selection, search, total, stale, more }: LeadsTableProps) {
  const scroll = useRef<HTMLElement>(null);
  const [edited, setEdited] = useState<Lead | null>(null);
  const [deleted, setDeleted] = useState<Lead | null>(null);
  const wide = useWide();
  const readsOnly = useReadsOnly();
  const rowHeight = wide ? rowHeights.wide : rowHeights.narrow;
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised, by hand or by the compiler
  const rows = useVirtualizer({
    count: leads.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // Rotating the phone changes the height of every row.
  useEffect(() => rows.measure(), [rows, rowHeight]);
  const searched = useRef(search);
  useLayoutEffect(() => {
    // Not on the first render: Back returns to the previous scroll position.
    if (searched.current !== search) scroll.current?.scrollTo({ top: 0 });
    searched.current = search;
  }, [search]);
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more;
  const wantsMore =
    hasNextPage && !isFetchingNextPage && !isFetchNextPageError && lastShown >= leads.length - readAhead;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);

  const choice = {
    all: selection.all || selection.ids.length === leads.length,
    onAll: (all: boolean) => (all ? selection.chooseShown() : selection.clear()),
  };
  const above = shown[0]?.start ?? 0;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <>
      <Table
        label="Leads"
        scrollRef={scroll}
        scrollClassName="min-h-0 flex-1"
        aria-rowcount={hasNextPage ? -1 : leads.length + 1}
        aria-busy={stale}
        className={clsx("table-fixed transition-opacity", stale && "opacity-60")}
        style={{ minWidth: wide ? columns.reduce((sum, key) => sum + columnOf(key).width, actionsWidth) : undefined }}
      >
        <LeadsHead columns={columns} wide={wide} sort={sort} onSort={onSort} {...(!readsOnly && { choice })} />
        <TableBody>
          <Gap height={above} />
          {shown.map(({ index }) => {
            const lead = leads[index];
            return lead ? (
              <LeadRow
                key={lead.id}
                lead={lead}
                columns={columns}
                wide={wide}
                selected={selection.has(lead.id)}
                onSelect={selection.toggle}
                rowIndex={index + 2}
                onEdit={setEdited}
                onDelete={setDeleted}
              />
            ) : null;
          })}
          <Gap height={below} />
        </TableBody>
      </Table>
      <Foot more={more} count={leads.length} total={total} />
      <EditLeadDialog lead={edited} onClose={() => setEdited(null)} />
      <DeleteLeadDialog lead={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}

function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden="true" style={{ height }} />;
}

function Foot({ more, count, total }: Pick<LeadsTableProps, "more" | "total"> & { count: number }) {
  if (more.isFetchNextPageError)
    return (
      <p role="alert" className="flex items-center gap-3 text-table text-fault">
        {problemDetail(more.error)}
        <Button tone="plain" size="small" busy={more.isFetchingNextPage} onClick={() => more.fetchNextPage()}>
          Load more
        </Button>
      </p>
    );
  const number = count.toLocaleString();
  return (
    <p className="text-xs text-ink-soft tabular-nums">
      {more.hasNextPage
        ? `The first ${number}${ofTotal(total, count)} leads. Scroll for more.`
        : `${number} ${count === 1 ? "lead" : "leads"}`}
    </p>
  );
}

/** Empty if more leads have loaded than were counted earlier. */
function ofTotal(total: LeadCount | null, count: number): string {
  if (!total || total.count <= count) return "";
  return ` of ${total.count.toLocaleString()}${total.more ? "+" : ""}`;
}
