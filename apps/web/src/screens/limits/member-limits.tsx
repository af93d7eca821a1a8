import { type Limits, noOwnLimits } from "@leadline/contract/limits";
import type { Member } from "@leadline/contract/members";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useOwnRole } from "../../components/use-own-role.ts";
import { memberLimitsQuery } from "../../data/limits-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { Button } from "../../ui/button.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import { describeMemberLimits } from "./describe-member-limits.ts";
import { MemberLimitsDialog } from "./member-limits-dialog.tsx";

const columns: TableColumns = {
  columns: [
    { head: "Member", width: ["w-28", "w-40", "w-32"] },
    { head: "Own limits", width: "w-48" },
  ],
  actions: { width: "w-16" },
};

/** For admins: each member’s own limits, which are stricter than the organisation’s. */
export function MemberLimits({ limits }: { limits: Limits }) {
  const members = useQuery(membersQuery);
  const own = useQuery(memberLimitsQuery);
  const ownRole = useOwnRole();
  const [changing, setChanging] = useState<Member | null>(null);
  const of = (userId: string) => own.data?.find((one) => one.userId === userId)?.limits ?? noOwnLimits;
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-6">
      <div>
        <h2 className="font-semibold">Members</h2>
        <p className="mt-0.5 text-table text-ink-soft">
          Give a member narrower limits of their own. They apply in addition to the organisation’s.
        </p>
      </div>
      {members.data && own.data ? (
        <Table label="Limits of members">
          <ColumnHeads {...columns} />
          <TableBody>
            {members.data.map((member) => {
              const name = `${member.firstName} ${member.lastName}`;
              return (
                <TableRow key={member.userId}>
                  <TableCell className="py-2 font-medium md:whitespace-nowrap">{name}</TableCell>
                  <TableCell className="w-full py-2 text-ink-soft">
                    {describeMemberLimits(of(member.userId)) || "None"}
                  </TableCell>
                  <TableCell align="right">
                    {ownRole === "owner" || member.role !== "owner" ? (
                      <Button
                        tone="quiet"
                        size="small"
                        aria-label={`Change limits of ${name}`}
                        onClick={() => setChanging(member)}
                      >
                        Change
                      </Button>
                    ) : null}
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      ) : members.isError ? (
        <LoadFailed what="The members" query={members} />
      ) : own.isError ? (
        <LoadFailed what="The limits of members" query={own} />
      ) : (
        <TableSkeleton label="Loading the limits of members" rows={3} {...columns} />
      )}
      {changing ? (
        <MemberLimitsDialog
          member={changing}
          own={of(changing.userId)}
          organisation={limits}
          onClose={() => setChanging(null)}
        />
      ) : null}
    </section>
  );
}
