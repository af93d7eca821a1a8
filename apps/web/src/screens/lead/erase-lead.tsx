import type { Lead } from "@leadline/contract/leads";
import { eraseLead } from "@leadline/contract/personal-data";
import { useNavigate } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { leadName } from "../../components/lead-name.ts";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { callsKey } from "../../data/calls-query.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { MenuItem } from "../../ui/menu.tsx";

/** For admins. */
export function EraseLeadItem({ onSelect }: { onSelect: () => void }) {
  return may(useOwnRole(), eraseLead) ? (
    <MenuItem className="text-fault" onSelect={onSelect}>
      <Eraser aria-hidden="true" /> Erase…
    </MenuItem>
  ) : null;
}

export function EraseLeadDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const navigate = useNavigate();
  const { confirmed, dialog } = usePasswordConfirmation();
  const name = leadName(lead);
  return (
    <>
      <ConfirmDialog
        title={`Erase ${name} for good?`}
        action="Erase for good"
        cancel="Keep"
        run={() =>
          confirmed((currentPassword) => request(eraseLead, { params: { id: lead.id }, body: { currentPassword } }))
        }
        onDone={() => {
          toast.success(`${name} is erased.`);
          void navigate({ to: "/leads", ignoreBlocker: true });
          void queryClient.invalidateQueries({ queryKey: leadsKey });
          void queryClient.invalidateQueries({ queryKey: callsKey });
        }}
        onClose={onClose}
      >
        <span className="block">
          This can’t be undone. It erases the lead with its notes, files, voicemail, history and follow-ups, and what
          the audit log and imports say about it.
        </span>
        <span className="mt-2 block">
          Its calls stay in the call log and the statement with time and cost, without number, name and note. If the
          number is on your do-not-call list, it stays there.
        </span>
        {lead.integrationId === null ? null : (
          <span className="mt-2 block">
            No sync brings it back. Your CRM still has its own record: erase that there.
          </span>
        )}
      </ConfirmDialog>
      {dialog}
    </>
  );
}
