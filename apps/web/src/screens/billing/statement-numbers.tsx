import type { StatementNumber } from "@leadline/contract/billing";
import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatMicros } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDate } from "../../components/format-time.ts";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

export function StatementNumbers({ numbers }: { numbers: readonly StatementNumber[] }) {
  const unpriced = numbers.filter(({ monthlyCostMicros }) => monthlyCostMicros === null).length;
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">Phone numbers</h2>
      {numbers.length === 0 ? (
        <p className="text-sm text-ink-soft">
          No phone numbers this month.{" "}
          <Link to="/settings/phone-numbers" className={textLinkLook}>
            Phone numbers
          </Link>
        </p>
      ) : (
        <Table label="Phone numbers held">
          <TableHead>
            <TableRow>
              <TableHeadCell>Number</TableHeadCell>
              <TableHeadCell className="max-md:hidden">Acquired</TableHeadCell>
              <TableHeadCell className="max-md:hidden">Released</TableHeadCell>
              <TableHeadCell align="right">Monthly fee</TableHeadCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {numbers.map((held) => (
              <TableRow key={held.id}>
                <TableCell className="font-medium whitespace-nowrap tabular-nums">
                  {formatPhoneNumber(held.number)}
                </TableCell>
                <TableCell className="text-ink-soft tabular-nums max-md:hidden">
                  {formatDate(held.acquiredAt)}
                </TableCell>
                <TableCell className="text-ink-soft tabular-nums max-md:hidden">
                  {held.releasedAt === null ? "–" : formatDate(held.releasedAt)}
                </TableCell>
                <TableCell align="right">
                  {held.monthlyCostMicros === null ? "Unknown" : formatMicros(held.monthlyCostMicros)}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
      {unpriced === 0 ? null : (
        <p className="max-w-[72ch] text-table text-pretty text-ink-soft">
          {unpriced === 1
            ? "1 number has no known price, because its account had it already. Its fee isn’t counted."
            : `${unpriced.toLocaleString("en")} numbers have no known price, because their accounts had them already. Their fees aren’t counted.`}
        </p>
      )}
    </div>
  );
}
