import type { ReactNode } from "react";
import { Skeleton } from "./skeleton.tsx";
import { Table, TableBody, TableCell, TableRow } from "./table.tsx";

interface SkeletonColumn {
  /** Of what stands in its cells; a list gives each row its own. */
  width: string | readonly string[];
  /** As its head has it, such as where it is hidden. */
  className?: string;
}

interface TableSkeletonProps {
  /** "Loading the members": read out, and the table's name. */
  label: string;
  head: ReactNode;
  rows: number;
  columns: readonly SkeletonColumn[];
  /** Of the last cell, which holds what can be done with the row. */
  actionsWidth: string;
}

/** The shape of a table that is on its way. */
export function TableSkeleton({ label, head, rows, columns, actionsWidth }: TableSkeletonProps) {
  return (
    <div aria-busy="true">
      <output className="sr-only">{label}</output>
      <Table label={label}>
        {head}
        <TableBody>
          {Array.from({ length: rows }, (_, row) => (
            <TableRow key={String(row)}>
              {columns.map(({ width, className }, column) => (
                <TableCell key={String(column)} className={className}>
                  <Skeleton className={typeof width === "string" ? width : width[row % width.length]} />
                </TableCell>
              ))}
              <TableCell align="right">
                <Skeleton className={`ml-auto h-8 ${actionsWidth}`} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
