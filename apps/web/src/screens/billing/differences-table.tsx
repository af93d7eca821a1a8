import type { CostDifference, DifferenceKind } from "@leadline/contract/carrier-costs";
import { formatExactCost, formatInCurrency } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDuration } from "../../components/format-time.ts";
import { useTimes } from "../../components/use-times.ts";
import { withheldNumber } from "../../components/withheld-number.ts";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

export const differenceNames: Record<DifferenceKind, string> = {
  differs: "Cost differs",
  "no-record": "No record",
  "no-call": "No call",
};

export function DifferencesTable({ differences }: { differences: readonly CostDifference[] }) {
  const times = useTimes();
  return (
    <Table label="Differences">
      <TableHead>
        <TableRow>
          <TableHeadCell>Time</TableHeadCell>
          <TableHeadCell>Number</TableHeadCell>
          <TableHeadCell>What differs</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Carrier</TableHeadCell>
          <TableHeadCell align="right" className="max-md:hidden">
            Duration
          </TableHeadCell>
          <TableHeadCell align="right" className="max-md:hidden">
            Counted
          </TableHeadCell>
          <TableHeadCell align="right" className="max-md:hidden">
            Carrier’s cost
          </TableHeadCell>
          <TableHeadCell align="right">Difference</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {differences.map((difference) => (
          <TableRow key={difference.key}>
            <TableCell className="whitespace-nowrap">
              <time dateTime={difference.begunAt} title={times.full(difference.begunAt)}>
                {times.when(difference.begunAt)}
              </time>
            </TableCell>
            <TableCell className="whitespace-nowrap tabular-nums">
              {difference.phoneNumber === "" ? withheldNumber : formatPhoneNumber(difference.phoneNumber)}
            </TableCell>
            <TableCell>{differenceNames[difference.kind]}</TableCell>
            <TableCell className="text-ink-soft max-md:hidden">{difference.carrier ?? "Disconnected"}</TableCell>
            <TableCell align="right" className="text-ink-soft tabular-nums max-md:hidden">
              {formatDuration(difference.seconds * 1_000)}
            </TableCell>
            <TableCell align="right" className="tabular-nums max-md:hidden">
              {difference.countedMicros === null ? "–" : formatExactCost(difference.countedMicros)}
            </TableCell>
            <TableCell align="right" className="tabular-nums max-md:hidden">
              {difference.carrierCost === null ? "–" : formatInCurrency(difference.carrierCost)}
            </TableCell>
            <TableCell align="right" className="tabular-nums">
              {difference.differenceMicros === null ? "–" : signed(difference.differenceMicros)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** With a typographic minus sign. */
const signed = (micros: number): string =>
  micros > 0 ? `+${formatExactCost(micros)}` : formatExactCost(micros).replace("-", "−");
