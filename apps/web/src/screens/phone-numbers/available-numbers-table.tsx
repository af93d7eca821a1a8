import type { AvailableNumber } from "@leadline/contract/phone-numbers";
import { formatMicros } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { CapabilityIcons } from "./capability-icons.tsx";

interface AvailableNumbersTableProps {
  numbers: readonly AvailableNumber[];
  /** Null if the user may not buy. */
  onBuy: ((offered: AvailableNumber) => void) | null;
}

/** On narrow screens place and capabilities are below the number, so that price and Buy stay visible. */
export function AvailableNumbersTable({ numbers, onBuy }: AvailableNumbersTableProps) {
  return (
    <Table label="Numbers for sale">
      <Head />
      <TableBody>
        {numbers.map((offered) => {
          const number = formatPhoneNumber(offered.number);
          return (
            <TableRow key={offered.number}>
              <TableCell className="font-medium whitespace-nowrap tabular-nums max-md:py-2">
                {number}
                <span className="block font-normal whitespace-normal text-ink-soft md:hidden">
                  {placeOf(offered)}
                  <span className="mt-1 block">
                    <CapabilityIcons capabilities={offered.capabilities} />
                  </span>
                </span>
              </TableCell>
              <TableCell className="max-md:hidden">
                {offered.location ?? <span className="text-ink-soft">Nationwide</span>}
              </TableCell>
              <TableCell className="text-ink-soft max-md:hidden">{offered.region ?? "–"}</TableCell>
              <TableCell className="max-md:hidden">
                <CapabilityIcons capabilities={offered.capabilities} />
              </TableCell>
              <TableCell align="right">
                {formatMicros(offered.monthlyCost)}
                {offered.upfrontCost === undefined ? null : (
                  <span className="block text-table whitespace-nowrap text-ink-soft">
                    + {formatMicros(offered.upfrontCost)} once
                  </span>
                )}
              </TableCell>
              <TableCell align="right">
                <Button
                  tone="plain"
                  size="small"
                  aria-label={`Buy ${number}`}
                  disabled={onBuy === null}
                  onClick={() => onBuy?.(offered)}
                >
                  Buy
                </Button>
              </TableCell>
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}

/** San Francisco, California: a town and its region, or a note that there is none. */
export function placeOf({ location, region }: Pick<AvailableNumber, "location" | "region">): string {
  if (location === null) return "Nationwide";
  return region === null || region === location ? location : `${location}, ${region}`;
}

export function AvailableNumbersSkeleton() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Searching for numbers</output>
      <Table label="Numbers for sale, loading">
        <Head />
        <TableBody>
          {["w-20", "w-28", "w-24", "w-16", "w-30", "w-22", "w-26", "w-18"].map((width) => (
            <TableRow key={width}>
              <TableCell>
                <Skeleton className="w-32" />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className={width} />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className={width} />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-20" />
              </TableCell>
              <TableCell align="right">
                <Skeleton className="ml-auto w-10" />
              </TableCell>
              <TableCell align="right">
                <Skeleton className="ml-auto h-8 w-13" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function Head() {
  return (
    <TableHead>
      <TableRow>
        <TableHeadCell>Number</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Location</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Region</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Capabilities</TableHeadCell>
        <TableHeadCell align="right">Monthly Fee</TableHeadCell>
        <TableHeadCell align="right">Buy</TableHeadCell>
      </TableRow>
    </TableHead>
  );
}
