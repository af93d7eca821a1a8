import { leaveOrganisation } from "@leadline/contract/members";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { meQuery } from "../data/me-query.ts";
import { queryClient } from "../data/query-client.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface LeaveDialogProps {
  organisation: { id: string; name: string };
  onClose: () => void;
}

export function LeaveDialog({ organisation, onClose }: LeaveDialogProps) {
  const navigate = useNavigate();
  const isActive = useQuery(meQuery).data?.activeOrganisation?.id === organisation.id;
  return (
    <ConfirmDialog
      title={`Leave ${organisation.name}?`}
      action="Leave"
      cancel="Stay"
      run={() => request(leaveOrganisation, { params: { id: organisation.id } })}
      onDone={() => {
        toast.success(`You left ${organisation.name}.`);
        void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
        void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
        void navigate({ to: "/settings/organisations" });
      }}
      onClose={onClose}
    >
      You no longer see its leads, calls and numbers; what you did stays in its log.
      {isActive ? " You act inside it now, so you act inside none until you switch." : ""} Only an invitation brings you
      back.
    </ConfirmDialog>
  );
}
