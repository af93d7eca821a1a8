import type { LeadSort } from "@leadline/contract/leads";
import { ArrowDown, ArrowUp } from "lucide-react";
import { CheckboxAlone } from "../../ui/checkbox.tsx";
import { TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { actionsWidth, columnOf, type LeadColumnKey } from "./lead-columns.tsx";

interface LeadsHeadProps {
  columns: readonly LeadColumnKey[];
  /** On phones a lead is one column with two lines. */
  wide: boolean;
  sort?: LeadSort;
  onSort?: (sort: LeadSort) => void;
  /** Whether all shown leads are selected, and a function that selects all or none. */
  choice?: { all: boolean; onAll: (all: boolean) => void };
}

export function LeadsHead({ columns, wide, sort, onSort, choice }: LeadsHeadProps) {
  const choosing = choice ? (
    <CheckboxAlone label="Choose all shown leads" checked={choice.all} onChange={choice.onAll} />
  ) : null;
  return (
    <TableHead>
      <TableRow>
        {wide ? (
          columns.map((key) =>
            key === "id" ? (
              <TableHeadCell key={key} style={{ width: columnOf(key).width }}>
                <span className="flex items-center gap-2.5">
                  {choosing}
                  {columnOf(key).head}
                </span>
              </TableHeadCell>
            ) : (
              <ColumnHead key={key} column={key} sort={sort} onSort={onSort} />
            ),
          )
        ) : (
          <TableHeadCell>
            <span className="flex items-center gap-3">
              {choosing}
              Lead
            </span>
          </TableHeadCell>
        )}
        <TableHeadCell align="right" style={{ width: actionsWidth }}>
          <span className="max-md:sr-only">Actions</span>
        </TableHeadCell>
      </TableRow>
    </TableHead>
  );
}

interface ColumnHeadProps {
  column: LeadColumnKey;
  sort: LeadSort | undefined;
  onSort: ((sort: LeadSort) => void) | undefined;
}

function ColumnHead({ column, sort, onSort }: ColumnHeadProps) {
  const { head, width, sorts } = columnOf(column);
  if (!sorts || !onSort) return <TableHeadCell style={{ width }}>{head}</TableHeadCell>;
  const at = sorts.findIndex((one) => one === sort);
  // After its last sort a header returns to newest first.
  const next = sorts[at + 1] ?? "newest";
  const isDown = sort?.startsWith("-") ?? false;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <TableHeadCell style={{ width }} aria-sort={at < 0 ? "none" : isDown ? "descending" : "ascending"}>
      <button
        type="button"
        onClick={() => onSort(next)}
        className="group/sort -mx-1.5 inline-flex items-center gap-1 rounded-[4px] px-1.5 py-0.5 hover:bg-ink/6 hover:text-ink"
      >
        {head}
        <Arrow
          aria-hidden="true"
          className={`size-3.5 ${at < 0 ? "opacity-0 group-hover/sort:opacity-60" : "text-brass"}`}
        />
      </button>
    </TableHeadCell>
  );
}
