import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** What is lost. */
export interface LossWords {
  title: string;
  description: string;
}

const changes: LossWords = {
  title: "Leave without saving?",
  description: "Your changes haven’t been saved and will be lost.",
};

interface LeaveUnsavedDialogProps {
  onStay: () => void;
  onLeave: () => void;
  words?: LossWords | undefined;
}

export function LeaveUnsavedDialog({ onStay, onLeave, words = changes }: LeaveUnsavedDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onStay}
      {...words}
      footer={
        <>
          <Button tone="quiet" onClick={onStay}>
            Stay
          </Button>
          <Button tone="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    />
  );
}
