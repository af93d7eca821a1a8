import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { CopyableId } from "../../components/copyable-id.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatDate, formatFullTime } from "../../components/format-time.ts";
import { useRefusal } from "../../components/use-refusal.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { NumberActions } from "./number-actions.tsx";

interface PhoneNumbersTableProps {
  numbers: readonly PhoneNumber[];
  mayManage: boolean;
}

export function PhoneNumbersTable({ numbers, mayManage }: PhoneNumbersTableProps) {
  return (
    <Table label="Your phone numbers">
      <Head />
      <TableBody>
        {numbers.map((owned) => (
          <NumberRow key={owned.id} owned={owned} isOnly={numbers.length === 1} mayManage={mayManage} />
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
  const { refusal, telling } = useRefusal();
  return (
    <>
      <TableRow className={refusal ? "border-b-0" : undefined}>
        <TableCell className="max-md:hidden">
          <CopyableId id={owned.id} />
        </TableCell>
        <TableCell>
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 max-md:py-1">
            <span className="font-medium whitespace-nowrap tabular-nums">{formatPhoneNumber(owned.number)}</span>
            {owned.isCallerId ? <Badge tone="brass">Caller ID</Badge> : null}
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
            <NumberActions owned={owned} isOnly={isOnly} telling={telling} />
          ) : (
            <span className="text-ink-soft">–</span>
          )}
        </TableCell>
      </TableRow>
      {refusal ? <RowNote columns={5}>{refusal}</RowNote> : null}
    </>
  );
}

export function PhoneNumbersSkeleton() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading your phone numbers</output>
      <Table label="Your phone numbers, loading">
        <Head />
        <TableBody>
          {["w-36", "w-32", "w-40"].map((width) => (
            <TableRow key={width}>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-16" />
              </TableCell>
              <TableCell>
                <Skeleton className={width} />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-16" />
              </TableCell>
              <TableCell>
                <Skeleton className="w-20" />
              </TableCell>
              <TableCell align="right">
                <Skeleton className="ml-auto h-8 w-8" />
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
        <TableHeadCell className="max-md:hidden">ID</TableHeadCell>
        <TableHeadCell>Number</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Provider</TableHeadCell>
        <TableHeadCell>Acquisition date</TableHeadCell>
        <TableHeadCell align="right">Actions</TableHeadCell>
      </TableRow>
    </TableHead>
  );
}
