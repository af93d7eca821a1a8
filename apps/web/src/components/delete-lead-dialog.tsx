import { deleteLead, type Lead } from "@leadline/contract/leads";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { leadsKey } from "../data/leads-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { queryClient } from "../data/query-client.ts";
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
    mutationFn: (doomed: Lead) => request(deleteLead, { params: { id: doomed.id } }),
    onSuccess: (_, doomed) => {
      toast.success(`${leadName(doomed)} deleted.`);
      onClose();
      onDeleted?.();
      void queryClient.invalidateQueries({ queryKey: [...leadsKey, "list"] });
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
      description="This permanently deletes the lead with its notes and files for everyone. Calls stay in the log."
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
