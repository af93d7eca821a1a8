import type { Lead } from "@leadline/contract/leads";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { sendLeadChange, undoFromToast } from "../data/lead-changes-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { leadName } from "./lead-name.ts";

interface DeleteLeadDialogProps {
  /** Null keeps it closed. */
  lead: Lead | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteLeadDialog({ lead, onClose, onDeleted }: DeleteLeadDialogProps) {
  const deleting = useMutation({
    mutationFn: (doomed: Lead) => sendLeadChange({ ids: [doomed.id], action: { kind: "delete" } }),
    onSuccess: ({ id }, doomed) => {
      toast.success(`${leadName(doomed)} deleted.`, {
        action: { label: "Undo", onClick: () => undoFromToast(id) },
      });
      onClose();
      onDeleted?.();
    },
  });
  return (
    <Dialog
      open={lead !== null}
      onOpenChange={(open) => {
        if (open) return;
        deleting.reset();
        onClose();
      }}
      title={lead ? `Delete ${leadName(lead)}?` : "Delete?"}
      description="You can undo this for 10 minutes. Then its notes and files are gone for good. Calls stay in the log."
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Keep
          </Button>
          <Button tone="danger" busy={deleting.isPending} onClick={() => lead && deleting.mutate(lead)}>
            Delete lead
          </Button>
        </>
      }
    >
      {deleting.isError ? <Notice>{problemDetail(deleting.error)}</Notice> : null}
    </Dialog>
  );
}
