import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { useQuery } from "@tanstack/react-query";
import { CopyableId } from "../../components/copyable-id.tsx";
import { dateLabel } from "../../components/due-label.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDate, formatFullTime } from "../../components/format-time.ts";
import { useToday } from "../../components/use-day.ts";
import { useRefusal } from "../../components/use-refusal.ts";
import { billingSummaryQuery, numberRenewalsQuery } from "../../data/billing-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import { NumberActions } from "./number-actions.tsx";
import { placeOfNumber, useCarrierElsewhere } from "./use-carrier-elsewhere.ts";

const columns: TableColumns = {
  columns: [
    { head: "ID", width: "w-16", className: "max-md:hidden" },
    { head: "Number", width: ["w-36", "w-32", "w-40"] },
    { head: "Provider", width: "w-16", className: "max-md:hidden" },
    { head: "Acquisition date", width: "w-20" },
  ],
  actions: { width: "w-8" },
};

interface PhoneNumbersTableProps {
  numbers: readonly PhoneNumber[];
  mayManage: boolean;
}

export function PhoneNumbersTable({ numbers, mayManage }: PhoneNumbersTableProps) {
  return (
    <Table label="Your phone numbers">
      <ColumnHeads {...columns} />
      <TableBody>
        {numbers.map((owned) => (
          <NumberRow
            key={owned.id}
            owned={owned}
            isOnly={numbers.filter(({ accountId }) => accountId === owned.accountId).length === 1}
            mayManage={mayManage}
          />
        ))}
      </TableBody>
    </Table>
  );
}

interface NumberRowProps {
  owned: PhoneNumber;
  isOnly: boolean;
  mayManage: boolean;
}

function NumberRow({ owned, isOnly, mayManage }: NumberRowProps) {
  const { refusal, refusalHandlers } = useRefusal();
  const isShown = useCarrierElsewhere(owned) === null;
  return (
    <>
      <TableRow className={refusal ? "border-b-0" : undefined}>
        <TableCell className="max-md:hidden">
          <CopyableId id={owned.id} />
        </TableCell>
        <TableCell>
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 max-md:py-1">
            <span className="font-medium whitespace-nowrap tabular-nums">{formatPhoneNumber(owned.number)}</span>
            {owned.isCallerId ? (
              isShown ? (
                <Badge tone="brass">Caller ID</Badge>
              ) : (
                <Badge>Caller ID {placeOfNumber(owned)}</Badge>
              )
            ) : null}
            <RenewalWords id={owned.id} />
            {owned.label === null ? null : <span className="max-w-[260px] truncate text-ink-soft">{owned.label}</span>}
          </span>
        </TableCell>
        <TableCell className="text-ink-soft max-md:hidden">{owned.provider}</TableCell>
        <TableCell>
          <time
            dateTime={owned.createdAt}
            title={formatFullTime(owned.createdAt)}
            className="whitespace-nowrap text-ink-soft tabular-nums"
          >
            {formatDate(owned.createdAt)}
          </time>
        </TableCell>
        <TableCell align="right">
          {mayManage ? (
            <NumberActions owned={owned} isOnly={isOnly} refusalHandlers={refusalHandlers} />
          ) : (
            <span className="text-ink-soft">–</span>
          )}
        </TableCell>
      </TableRow>
      {refusal ? <RowNote columns={5}>{refusal}</RowNote> : null}
    </>
  );
}

/** For a number that a prepaid organisation pays for. */
function RenewalWords({ id }: { id: string }) {
  const isPrepaid = useQuery(billingSummaryQuery).data?.mode === "prepaid";
  const renewal = useQuery({ ...numberRenewalsQuery, enabled: isPrepaid }).data?.renewals.find(
    (each) => each.id === id,
  );
  const today = useToday();
  if (!renewal) return null;
  if (renewal.releaseOn !== null)
    return <Badge tone="fault">Unpaid, released on {dateLabel(renewal.releaseOn, today)}</Badge>;
  return <span className="text-table text-ink-soft">Renews {dateLabel(renewal.renewsOn, today)}</span>;
}

export const PhoneNumbersSkeleton = () => <TableSkeleton label="Loading your phone numbers" rows={3} {...columns} />;
