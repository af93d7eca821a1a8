import { useWide } from "../../components/use-wide.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import type { LeadColumnKey } from "./lead-columns.tsx";
import { LeadsHead } from "./leads-head.tsx";

export function LeadsSkeleton({ columns }: { columns: readonly LeadColumnKey[] }) {
  const wide = useWide();
  return (
    <div aria-busy="true" className="min-h-0 flex-1 overflow-hidden">
      <output className="sr-only">Loading your leads</output>
      <Table label="Leads, loading" className="table-fixed">
        <LeadsHead columns={columns} wide={wide} />
        <TableBody>
          {["w-14", "w-20", "w-12", "w-16", "w-24", "w-14", "w-18", "w-16", "w-20", "w-12"].map((width, index) => (
            <TableRow key={`${width}-${String(index)}`}>
              {wide ? (
                columns.map((column) => (
                  <TableCell key={column}>
                    <Skeleton className={width} />
                  </TableCell>
                ))
              ) : (
                <TableCell className="py-2">
                  <Skeleton className="w-32" />
                  <Skeleton className="mt-2 w-44" />
                </TableCell>
              )}
              <TableCell align="right">
                <Skeleton className="ml-auto h-8 w-16" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
