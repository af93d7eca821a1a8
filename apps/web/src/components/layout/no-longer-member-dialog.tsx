import { Dialog } from "../../ui/dialog.tsx";
import { OrganisationChoices } from "../organisation-choices.tsx";

/** Shown over any page when the user is no longer in the organisation that it was about. */
export function NoLongerMemberDialog({ former, onClose }: { former: { name: string }; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`You’re no longer in ${former.name}`}
      description={`You were removed from ${former.name}, or it was deleted. Your activity stays in its log.`}
      footer={<OrganisationChoices onLeave={onClose} />}
    />
  );
}
