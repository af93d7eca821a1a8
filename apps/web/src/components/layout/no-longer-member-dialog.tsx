import { Dialog } from "../../ui/dialog.tsx";
import { OrganisationChoices } from "../organisation-choices.tsx";

/** Over whatever the page shows, when the organisation that it was about is no longer the person's. */
export function NoLongerMemberDialog({ former, onClose }: { former: { name: string }; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`You are no longer in ${former.name}`}
      description={`Somebody has removed you from ${former.name}, or it was deleted. What you did there stays in its log; nothing more can be done in it from here.`}
      footer={<OrganisationChoices onLeave={onClose} />}
    />
  );
}
