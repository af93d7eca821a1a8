import { type Invitation, inviteMember, withdrawInvitation } from "@leadline/contract/members";
import { useMutation } from "@tanstack/react-query";
import { Copy, MailX, Send } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import type { RefusalHandlers } from "../../components/use-refusal.ts";
import { request } from "../../data/api-client.ts";
import { invitationsQuery } from "../../data/members-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LinkField } from "./link-field.tsx";
import { SentDialog } from "./sent-dialog.tsx";
import { useCopyInvitationLink } from "./use-copy-invitation-link.ts";

const readAgain = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });

interface InvitationActionsProps {
  invitation: Invitation;
  refusalHandlers: RefusalHandlers;
}

export function InvitationActions({ invitation, refusalHandlers }: InvitationActionsProps) {
  const { id, email, role } = invitation;
  const [withdrawing, setWithdrawing] = useState(false);
  const { copy, isCopying, uncopied, forget, dialog: linkDialog } = useCopyInvitationLink(invitation, refusalHandlers);
  const { confirmed, dialog } = usePasswordConfirmation();
  const sending = useMutation({
    mutationFn: () => confirmed((currentPassword) => request(inviteMember, { body: { email, role, currentPassword } })),
    onSuccess: ({ delivered }) => {
      if (delivered) toast.success(`New invitation sent to ${email}. The previous link no longer works.`);
      return readAgain();
    },
    ...refusalHandlers,
  });
  return (
    <>
      <RowMenu of={`the invitation for ${email}`} busy={sending.isPending || isCopying}>
        <MenuItem onSelect={copy}>
          <Copy aria-hidden="true" /> Copy invitation link
        </MenuItem>
        <MenuItem onSelect={() => sending.mutate()}>
          <Send aria-hidden="true" /> Send again
        </MenuItem>
        <MenuItem className="text-fault" onSelect={() => setWithdrawing(true)}>
          <MailX aria-hidden="true" /> Withdraw…
        </MenuItem>
      </RowMenu>
      {dialog}
      {linkDialog}
      {sending.data?.delivered === false ? <SentDialog sent={sending.data} onClose={() => sending.reset()} /> : null}
      {uncopied === null ? null : (
        <Dialog
          open
          onOpenChange={forget}
          title="The invitation’s link"
          description={`Send it to ${email} yourself. It works once.`}
          footer={<Button onClick={forget}>Done</Button>}
        >
          <LinkField url={uncopied} />
        </Dialog>
      )}
      {withdrawing ? (
        <ConfirmDialog
          title={`Withdraw the invitation for ${email}?`}
          action="Withdraw"
          cancel="Keep it"
          run={() => request(withdrawInvitation, { params: { id } })}
          onDone={() => void readAgain()}
          onClose={() => setWithdrawing(false)}
        >
          The link in their email stops working.
        </ConfirmDialog>
      ) : null}
    </>
  );
}
