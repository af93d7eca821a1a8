import type { SentInvitation } from "@leadline/contract/members";
import { Copy } from "lucide-react";
import { useRefusal } from "../../components/use-refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LinkField } from "./link-field.tsx";
import { useCopyInvitationLink } from "./use-copy-invitation-link.ts";

/** The link can be shared without the email, and must be if no email is sent. */
export function SentDialog({ sent, onClose }: { sent: SentInvitation; onClose: () => void }) {
  const { email, delivered, mailedOften } = sent;
  const { refusal, refusalHandlers } = useRefusal();
  const { copy, isCopying, isCopied, uncopied, dialog } = useCopyInvitationLink(sent, refusalHandlers);
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        title={delivered ? "Invitation sent" : "Invitation created, but not sent"}
        description={
          delivered
            ? `We’re emailing a link to ${email}.`
            : mailedOften
              ? `${email} has been sent ten invitations in a day, so this one wasn’t emailed.`
              : `This server can’t send email, so send the link to ${email} yourself.`
        }
        footer={
          <>
            <Button tone={delivered ? "plain" : "primary"} busy={isCopying} onClick={copy}>
              <Copy aria-hidden="true" /> {isCopied ? "Link copied" : "Copy invitation link"}
            </Button>
            <Button tone={delivered ? "primary" : "plain"} onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4 text-sm">
          {refusal ? <Notice>{refusal}</Notice> : null}
          <p>
            {delivered ? "You can also copy the link and send it yourself." : "Copy the link and send it yourself."} It
            works once, within seven days, for anyone who opens it.
          </p>
          {delivered || mailedOften ? null : (
            <p className="text-ink-soft">
              The email was saved as a file in the server’s data folder, under <code>mail</code>. Set SMTP_URL to send
              email.
            </p>
          )}
          {uncopied === null ? null : <LinkField url={uncopied} />}
        </div>
      </Dialog>
      {dialog}
    </>
  );
}
