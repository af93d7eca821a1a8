import type { Statement } from "@leadline/contract/billing";
import { ReceiptText } from "lucide-react";
import { alignCosts } from "../../components/format-money.ts";
import { formatDuration } from "../../components/format-time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { monthName } from "./months.ts";

const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

export function StatementCalls({ statement }: { statement: Statement }) {
  const { days, month, timeZone } = statement;
  const formatCost = alignCosts(days.map(({ costMicros }) => costMicros));
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">Calls by day</h2>
      {days.length === 0 ? (
        <EmptyState
          picture={<ReceiptText className="size-6" aria-hidden="true" />}
          title={`No calls in ${monthName(month)}`}
          className="py-8"
        >
          Days with calls are listed here with their cost.
        </EmptyState>
      ) : (
        <Table label={`Calls by day, ${timeZone}`}>
          <TableHead>
            <TableRow>
              <TableHeadCell>Day</TableHeadCell>
              <TableHeadCell align="right">Calls</TableHeadCell>
              <TableHeadCell align="right" className="max-md:hidden">
                Answered
              </TableHeadCell>
              <TableHeadCell align="right">Talk time</TableHeadCell>
              <TableHeadCell align="right">Cost</TableHeadCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {days.map((each) => (
              <TableRow key={each.date}>
                <TableCell className="whitespace-nowrap">{day.format(new Date(`${each.date}T00:00:00Z`))}</TableCell>
                <TableCell align="right">{each.calls.toLocaleString()}</TableCell>
                <TableCell align="right" className="max-md:hidden">
                  {each.answered.toLocaleString()}
                </TableCell>
                <TableCell align="right" className="whitespace-nowrap">
                  {formatDuration(each.talkMs)}
                </TableCell>
                <TableCell align="right">
                  {each.costMicros === 0 && each.unpricedCalls > 0 ? "Unknown" : formatCost(each.costMicros)}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}
