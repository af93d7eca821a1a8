import { Skeleton } from "./skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "./table.tsx";

/** The columns of a table; the last one holds the row actions. */
export interface TableColumns {
  columns: readonly {
    head: string;
    /** The width of its cells' skeletons; a list gives each row its own. */
    width: string | readonly string[];
    /** For example, to hide it. */
    className?: string;
  }[];
  actions: { width: string; className?: string };
}

export function ColumnHeads({ columns, actions }: TableColumns) {
  return (
    <TableHead>
      <TableRow>
        {columns.map(({ head, className }) => (
          <TableHeadCell key={head} className={className}>
            {head}
          </TableHeadCell>
        ))}
        <TableHeadCell align="right" className={actions.className}>
          Actions
        </TableHeadCell>
      </TableRow>
    </TableHead>
  );
}

interface TableSkeletonProps extends TableColumns {
  /** "Loading the members": for screen readers, and the table's name. */
  label: string;
  rows: number;
}

/** The skeleton of a table that is loading. */
export function TableSkeleton({ label, rows, columns, actions }: TableSkeletonProps) {
  return (
    <div aria-busy="true">
      <output className="sr-only">{label}</output>
      <Table label={label}>
        <ColumnHeads columns={columns} actions={actions} />
        <TableBody>
          {Array.from({ length: rows }, (_, row) => (
            <TableRow key={String(row)}>
              {columns.map(({ head, width, className }) => (
                <TableCell key={head} className={className}>
                  <Skeleton className={typeof width === "string" ? width : width[row % width.length]} />
                </TableCell>
              ))}
              <TableCell align="right">
                <Skeleton className={`ml-auto h-8 ${actions.width}`} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
