import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import { RecentCallsHead } from "./recent-calls.tsx";

export function DashboardSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-6">
      <output className="sr-only">Loading your calls</output>
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-4">
        {["Calls", "Answered", "Talk time", "Average call"].map((label) => (
          <div key={label} className="flex flex-col gap-2 bg-panel px-5 py-4">
            <span className="text-table text-ink-soft">{label}</span>
            <Skeleton className="h-7 w-16" />
            <Skeleton className="h-3 w-24" />
          </div>
        ))}
      </div>
      <Table label="Recent calls, loading">
        <RecentCallsHead />
        <TableBody>
          {["w-32", "w-36", "w-28", "w-34", "w-30"].map((width) => (
            <TableRow key={width}>
              <TableCell>
                <Skeleton className={width} />
              </TableCell>
              <TableCell>
                <Skeleton className="h-6 w-20 rounded-full" />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-24" />
              </TableCell>
              <TableCell align="right" className="max-md:hidden">
                <Skeleton className="ml-auto w-10" />
              </TableCell>
              <TableCell align="right">
                <Skeleton className="ml-auto w-24" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
