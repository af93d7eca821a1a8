import { leaveOrganisation } from "@leadline/contract/members";
import type { Role } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { toast } from "sonner";
import { pageOrganisation } from "../data/page-organisation.ts";
import { request } from "../data/api-client.ts";
import { meQuery } from "../data/me-query.ts";
import { membersQuery } from "../data/members-query.ts";
import { queryClient } from "../data/query-client.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface LeaveDialogProps {
  organisation: { id: string; name: string };
  ownRole: Role;
  onClose: () => void;
}

export function LeaveDialog({ organisation, ownRole, onClose }: LeaveDialogProps) {
  const navigate = useNavigate();
  const isActive = useQuery(meQuery).data?.activeOrganisation?.id === organisation.id;
  // Other owners are only known for the active organisation; for another one, the server's refusal says it.
  const members = useQuery({ ...membersQuery, enabled: isActive && ownRole === "owner" });
  if (isActive && ownRole === "owner") {
    if (members.isPending) return null;
    const owners = members.data?.filter((member) => member.role === "owner") ?? [];
    if (owners.length === 1)
      return <LastOwnerDialog name={organisation.name} isAlone={members.data?.length === 1} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={`Leave ${organisation.name}?`}
      action="Leave"
      cancel="Stay"
      run={() => request(leaveOrganisation, { params: { id: organisation.id } })}
      onDone={() => {
        toast.success(`You left ${organisation.name}.`);
        if (isActive) pageOrganisation.set(null);
        void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
        void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
        void navigate({ to: "/settings/organisations" });
      }}
      onClose={onClose}
    >
      You’ll lose access to its leads, calls and numbers. Your activity stays in its log.
      {isActive ? " It’s your active organisation, so you’ll need to switch to another." : ""} You’ll need an invitation
      to come back.
      {ownRole === "owner" && !isActive ? " If it has no other owner, make another member an owner first." : ""}
    </ConfirmDialog>
  );
}

interface LastOwnerDialogProps {
  name: string;
  isAlone: boolean;
  onClose: () => void;
}

/** An action that would be refused isn't offered: the way to enable it is. */
function LastOwnerDialog({ name, isAlone, onClose }: LastOwnerDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${name} needs an owner`}
      description={
        isAlone
          ? "You’re its only owner and only member. Invite someone and make them an owner before you leave. Or delete it under Organisations."
          : "You’re its only owner. Make another member an owner before you leave."
      }
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Stay
          </Button>
          <Button asChild>
            <Link to="/settings/members" onClick={onClose}>
              Go to members
            </Link>
          </Button>
        </>
      }
    />
  );
}
