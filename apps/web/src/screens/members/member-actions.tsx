import { type Member, removeMember, updateMember } from "@leadline/contract/members";
import type { Role } from "@leadline/contract/organisations";
import { useMutation } from "@tanstack/react-query";
import { LogOut, UserMinus, UserRound, UserRoundSearch, UserRoundCog, UserStar } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import type { RefusalHandlers } from "../../components/use-refusal.ts";
import { isAdmin, roleNames, useOwnRole } from "../../components/use-own-role.ts";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";

interface MemberActionsProps {
  member: Member;
  isSelf: boolean;
  isLastOwner: boolean;
  organisation: { id: string; name: string };
  refusalHandlers: RefusalHandlers;
}

const roleIcons = { owner: UserStar, admin: UserRoundCog, member: UserRound, analyst: UserRoundSearch } as const;
const articles = {
  owner: "an owner",
  admin: "an admin",
  member: "a member",
  analyst: "an analyst",
} as const satisfies Record<Role, string>;

export function MemberActions({ member, isSelf, isLastOwner, organisation, refusalHandlers }: MemberActionsProps) {
  const ownRole = useOwnRole();
  const [asking, setAsking] = useState<"remove" | "leave" | null>(null);
  const name = `${member.firstName} ${member.lastName}`;
  const { confirmed, dialog } = usePasswordConfirmation();
  const changing = useMutation({
    mutationFn: (role: Role) =>
      confirmed((currentPassword) =>
        request(updateMember, { params: { userId: member.userId }, body: { role, currentPassword } }),
      ),
    onSuccess: async (_, role) => {
      toast.success(isSelf ? `You’re now ${articles[role]}.` : `${name} is now ${articles[role]}.`);
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    ...refusalHandlers,
  });
  const mayChange = ownRole === "owner" || (ownRole === "admin" && member.role !== "owner");
  const roles = (["admin", "member", "analyst", "owner"] as const).filter(
    (role) => role !== member.role && (role !== "owner" || ownRole === "owner"),
  );
  if (!isAdmin(ownRole) && !isSelf) return null;
  if (!mayChange && !isSelf) return null;
  const close = () => setAsking(null);
  return (
    <>
      <RowMenu of={name} busy={changing.isPending}>
        {mayChange
          ? roles.map((role) => {
              const Icon = roleIcons[role];
              return (
                <MenuItem key={role} disabled={isLastOwner} onSelect={() => changing.mutate(role)}>
                  <Icon aria-hidden="true" /> Make {roleNames[role].toLowerCase()}
                </MenuItem>
              );
            })
          : null}
        {mayChange ? <MenuSeparator /> : null}
        {isSelf ? (
          <MenuItem className="text-fault" onSelect={() => setAsking("leave")}>
            <LogOut aria-hidden="true" /> Leave…
          </MenuItem>
        ) : (
          <MenuItem className="text-fault" onSelect={() => setAsking("remove")}>
            <UserMinus aria-hidden="true" /> Remove…
          </MenuItem>
        )}
      </RowMenu>
      {dialog}
      {asking === "remove" ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove"
          run={() => request(removeMember, { params: { userId: member.userId } })}
          onDone={() => {
            toast.success(`${name} is no longer in ${organisation.name}.`);
            void queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
          }}
          onClose={close}
        >
          They lose access to {organisation.name} immediately, and their current call ends. Their activity stays in the
          log as a former member’s.
        </ConfirmDialog>
      ) : null}
      {asking === "leave" ? <LeaveDialog organisation={organisation} ownRole={member.role} onClose={close} /> : null}
    </>
  );
}
