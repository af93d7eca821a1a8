import { type Lead, updateLead } from "@leadline/contract/leads";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { leadsKey } from "../data/leads-query.ts";
import { queryClient } from "../data/query-client.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LeadForm } from "./lead-form.tsx";
import { leadName } from "./lead-name.ts";

interface EditLeadDialogProps {
  /** Null keeps it closed. */
  lead: Lead | null;
  onClose: () => void;
}

export function EditLeadDialog({ lead, onClose }: EditLeadDialogProps) {
  return (
    <Dialog
      open={lead !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={lead ? `Edit ${leadName(lead)}` : "Edit"}
    >
      {lead ? (
        <LeadForm
          lead={lead}
          onSave={async (fields) => {
            const changed = await request(updateLead, { params: { id: lead.id }, body: fields });
            await queryClient.invalidateQueries({ queryKey: leadsKey });
            toast.success(`${leadName(changed)} is saved.`);
            onClose();
          }}
          saveLabel="Save"
          cancel={
            <Button tone="quiet" onClick={onClose}>
              Cancel
            </Button>
          }
        />
      ) : null}
    </Dialog>
  );
}
