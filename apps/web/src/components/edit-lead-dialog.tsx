import { type Lead, updateLead } from "@leadline/contract/leads";
import { useState } from "react";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { leadsKey } from "../data/leads-query.ts";
import { queryClient } from "../data/query-client.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LeaveUnsavedDialog } from "./ask-before-leaving.tsx";
import { LeadForm } from "./lead-form.tsx";
import { leadName } from "./lead-name.ts";

interface EditLeadDialogProps {
  /** Null keeps it closed. */
  lead: Lead | null;
  onClose: () => void;
}

export function EditLeadDialog({ lead, onClose }: EditLeadDialogProps) {
  const [unsaved, setUnsaved] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => {
    setUnsaved(false);
    setAsking(false);
    onClose();
  };
  return (
    <Dialog
      open={lead !== null}
      // Escape and a click beside it come easily by mistake; Cancel does not.
      onOpenChange={() => (unsaved ? setAsking(true) : close())}
      title={lead ? `Edit ${leadName(lead)}` : "Edit"}
    >
      {lead ? (
        <LeadForm
          lead={lead}
          onSave={async (fields) => {
            const changed = await request(updateLead, { params: { id: lead.id }, body: fields });
            await queryClient.invalidateQueries({ queryKey: leadsKey });
            toast.success(`${leadName(changed)} is saved.`);
            close();
          }}
          onUnsaved={setUnsaved}
          saveLabel="Save"
          cancel={
            <Button tone="quiet" onClick={close}>
              Cancel
            </Button>
          }
        />
      ) : null}
      {asking ? <LeaveUnsavedDialog onStay={() => setAsking(false)} onLeave={close} /> : null}
    </Dialog>
  );
}
