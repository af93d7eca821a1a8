import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** The invitation holds, but nothing takes it to them. */
export function UndeliveredDialog({ email, onClose }: { email: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The invitation is made, but was not sent"
      description={`This server has no mail server, so nothing goes to ${email} by itself.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <p className="text-sm">
        The mail with their link lies as a file in the folder <code>mail</code> of the server’s data. Whoever runs the
        server can hand it on, or set SMTP_URL so that mails are sent.
      </p>
    </Dialog>
  );
}
