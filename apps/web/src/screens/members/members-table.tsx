import type { Member } from "@leadline/contract/members";
import { useQuery } from "@tanstack/react-query";
import { formatDate } from "../../components/format-time.ts";
import { isAdmin, roleNames } from "../../components/use-own-role.ts";
import { useRefusal } from "../../components/use-refusal.ts";
import { meQuery } from "../../data/me-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import { MemberActions } from "./member-actions.tsx";

const columns: TableColumns = {
  columns: [
    { head: "Name", width: ["w-28", "w-40", "w-32"] },
    { head: "Email", width: "w-48", className: "max-md:hidden" },
    { head: "Role", width: "w-16" },
    { head: "Joined", width: "w-20", className: "max-md:hidden" },
  ],
  actions: { width: "w-8" },
};

interface MembersTableProps {
  members: readonly Member[];
  organisation: { id: string; name: string };
}

export function MembersTable({ members, organisation }: MembersTableProps) {
  const ownId = useQuery(meQuery).data?.id;
  return (
    <Table label="Members">
      <ColumnHeads {...columns} />
      <TableBody>
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            isSelf={member.userId === ownId}
            isLastOwner={member.role === "owner" && members.filter(({ role }) => role === "owner").length === 1}
            organisation={organisation}
          />
        ))}
      </TableBody>
    </Table>
  );
}

interface MemberRowProps {
  member: Member;
  isSelf: boolean;
  isLastOwner: boolean;
  organisation: { id: string; name: string };
}

function MemberRow({ member, isSelf, ...rest }: MemberRowProps) {
  const { refusal, refusalHandlers } = useRefusal();
  return (
    <>
      <TableRow className={refusal ? "border-b-0" : undefined}>
        <TableCell className="font-medium max-md:w-full max-md:max-w-0 max-md:py-2">
          <span className="flex items-center gap-2">
            <span className="min-w-0 truncate md:max-w-80" title={`${member.firstName} ${member.lastName}`}>
              {member.firstName} {member.lastName}
            </span>
            {isSelf ? <Badge tone="brass">You</Badge> : null}
          </span>
          <span className="block truncate text-xs font-normal text-ink-soft md:hidden">{member.email}</span>
        </TableCell>
        <TableCell className="text-ink-soft max-md:hidden">{member.email}</TableCell>
        <TableCell>
          <Badge tone={isAdmin(member.role) ? "brand" : "plain"}>{roleNames[member.role]}</Badge>
        </TableCell>
        <TableCell className="whitespace-nowrap text-ink-soft tabular-nums max-md:hidden">
          {formatDate(member.createdAt)}
        </TableCell>
        <TableCell align="right">
          <MemberActions member={member} isSelf={isSelf} refusalHandlers={refusalHandlers} {...rest} />
        </TableCell>
      </TableRow>
      {refusal ? <RowNote columns={5}>{refusal}</RowNote> : null}
    </>
  );
}

export const MembersSkeleton = () => <TableSkeleton label="Loading the members" rows={3} {...columns} />;
