import type { DoNotCallEntry } from "@leadline/contract/do-not-call";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Fragment } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { leadName } from "../../components/lead-name.ts";
import type { useDoNotCall } from "../../components/use-do-not-call.ts";
import { useNow } from "../../components/use-now.ts";
import { isAdmin, useOwnRole } from "../../components/use-own-role.ts";
import { meQuery } from "../../data/me-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";

const columns: TableColumns = {
  columns: [
    { head: "Number", width: "w-32" },
    { head: "Lead", width: ["w-24", "w-32", "w-20"], className: "max-md:hidden" },
    { head: "Added by", width: ["w-24", "w-32", "w-20"], className: "max-md:hidden" },
    { head: "Added", width: ["w-24", "w-32", "w-20"], className: "max-md:hidden" },
  ],
  actions: { width: "w-24" },
};

interface DoNotCallTableProps {
  entries: readonly DoNotCallEntry[];
  stale: boolean;
  removing: ReturnType<typeof useDoNotCall>["removing"];
}

export function DoNotCallTable({ entries, stale, removing }: DoNotCallTableProps) {
  const me = useQuery(meQuery).data;
  const ownRole = useOwnRole();
  const now = useNow();
  return (
    <Table label="Numbers not to call" aria-busy={stale} className={clsx("transition-opacity", stale && "opacity-60")}>
      <ColumnHeads {...columns} />
      <TableBody>
        {entries.map((entry) => {
          const number = formatPhoneNumber(entry.phoneNumber);
          const mayRemove = ownRole !== "analyst" && (me?.id === entry.userId || isAdmin(ownRole));
          const isRefused = removing.isError && removing.variables === entry.phoneNumber;
          return (
            <Fragment key={entry.phoneNumber}>
              <TableRow className={isRefused ? "border-b-0" : undefined}>
                <TableCell className="font-medium whitespace-nowrap tabular-nums">
                  {number}
                  <span className="block font-normal whitespace-normal text-ink-soft md:hidden">
                    <Leads leads={entry.leads} />
                  </span>
                </TableCell>
                <TableCell className="max-md:hidden">
                  <Leads leads={entry.leads} />
                </TableCell>
                <TableCell className="max-md:hidden">{entry.userName}</TableCell>
                <TableCell className="whitespace-nowrap text-ink-soft max-md:hidden">
                  <time dateTime={entry.createdAt} title={formatFullTime(entry.createdAt)}>
                    {formatWhen(entry.createdAt, now)}
                  </time>
                </TableCell>
                <TableCell align="right">
                  <Button
                    tone="plain"
                    size="small"
                    aria-label={`Allow again ${number}`}
                    disabled={!mayRemove}
                    title={mayRemove ? undefined : `${entry.userName} or an admin can`}
                    busy={removing.isPending && removing.variables === entry.phoneNumber}
                    onClick={() => removing.mutate(entry.phoneNumber)}
                  >
                    Allow again
                  </Button>
                </TableCell>
              </TableRow>
              {isRefused ? <RowNote columns={5}>{problemDetail(removing.error)}</RowNote> : null}
            </Fragment>
          );
        })}
      </TableBody>
    </Table>
  );
}

function Leads({ leads }: { leads: DoNotCallEntry["leads"] }) {
  if (leads.length === 0) return <span className="text-ink-soft">No lead</span>;
  return leads.map((lead, index) => (
    <span key={lead.id}>
      {index > 0 ? ", " : ""}
      <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={textLinkLook}>
        {leadName(lead)}
      </Link>
    </span>
  ));
}

export const DoNotCallSkeleton = () => <TableSkeleton label="Loading the list" rows={3} {...columns} />;
