import { type Lead, updateLead } from "@leadline/contract/leads";
import { useId, useState } from "react";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { leadsKey } from "../data/leads-query.ts";
import { queryClient } from "../data/query-client.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LeadForm } from "./lead-form.tsx";
import { leadName } from "./lead-name.ts";
import { type SavedState, useAskBeforeClosing } from "./use-ask-before-closing.tsx";

interface EditLeadDialogProps {
  /** Null keeps it closed. */
  lead: Lead | null;
  onClose: () => void;
}

export function EditLeadDialog({ lead, onClose }: EditLeadDialogProps) {
  const form = useId();
  const [state, setState] = useState<SavedState>("saved");
  const close = () => {
    setState("saved");
    onClose();
  };
  const { onOpenChange, question } = useAskBeforeClosing(state, close);
  return (
    <Dialog
      open={lead !== null}
      onOpenChange={onOpenChange}
      title={lead ? `Edit ${leadName(lead)}` : "Edit"}
      footer={
        <>
          <Button tone="quiet" disabled={state === "saving"} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={state === "saving"}>
            Save
          </Button>
        </>
      }
    >
      {lead ? (
        <LeadForm
          id={form}
          lead={lead}
          onSave={async (change) => {
            const changed = await request(updateLead, { params: { id: lead.id }, body: change });
            await queryClient.invalidateQueries({ queryKey: leadsKey });
            toast.success(`${leadName(changed)} saved.`);
            close();
          }}
          onState={setState}
        />
      ) : null}
      {question}
    </Dialog>
  );
}
