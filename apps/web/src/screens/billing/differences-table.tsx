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
          <TableHeadCell className="max-md:hidden">Time</TableHeadCell>
          <TableHeadCell>Number</TableHeadCell>
          <TableHeadCell className="max-md:hidden">What differs</TableHeadCell>
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
            <TableCell className="whitespace-nowrap max-md:hidden">
              <time dateTime={difference.begunAt} title={times.full(difference.begunAt)}>
                {times.when(difference.begunAt)}
              </time>
            </TableCell>
            <TableCell className="tabular-nums max-md:w-full max-md:py-2 md:whitespace-nowrap">
              <span className="max-md:font-medium">
                {difference.phoneNumber === "" ? withheldNumber : formatPhoneNumber(difference.phoneNumber)}
              </span>
              <NarrowDetails difference={difference} />
            </TableCell>
            <TableCell className="max-md:hidden">{differenceNames[difference.kind]}</TableCell>
            <TableCell className="text-ink-soft max-md:hidden">{carrierOf(difference)}</TableCell>
            <TableCell align="right" className="text-ink-soft tabular-nums max-md:hidden">
              {formatDuration(difference.seconds * 1_000)}
            </TableCell>
            <TableCell align="right" className="tabular-nums max-md:hidden">
              {counted(difference)}
            </TableCell>
            <TableCell align="right" className="tabular-nums max-md:hidden">
              {billed(difference)}
            </TableCell>
            <TableCell align="right" className="whitespace-nowrap max-md:align-top max-md:pt-2">
              {difference.differenceMicros === null ? "–" : signed(difference.differenceMicros)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** On a narrow screen, the other columns are lines below the number. */
function NarrowDetails({ difference }: { difference: CostDifference }) {
  const times = useTimes();
  const { begunAt, kind, seconds } = difference;
  return (
    <span data-narrow className="block text-xs text-ink-soft md:hidden">
      <span className="block">
        {differenceNames[kind]} · <time dateTime={begunAt}>{times.when(begunAt)}</time>
      </span>
      <span className="block">
        {carrierOf(difference)} · {formatDuration(seconds * 1_000)}
      </span>
      <span className="block">
        Counted {counted(difference)}, carrier’s cost {billed(difference)}
      </span>
    </span>
  );
}

const carrierOf = ({ carrier }: CostDifference): string => carrier ?? "Disconnected";
const counted = ({ countedMicros }: CostDifference): string =>
  countedMicros === null ? "–" : formatExactCost(countedMicros);
const billed = ({ carrierCost }: CostDifference): string =>
  carrierCost === null ? "–" : formatInCurrency(carrierCost);

/** With a typographic minus sign. */
const signed = (micros: number): string =>
  micros > 0 ? `+${formatExactCost(micros)}` : formatExactCost(micros).replace("-", "−");
