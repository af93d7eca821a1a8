import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

export function LeaveUnsavedDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onStay}
      title="Leave without saving?"
      description="Your changes haven’t been saved and will be lost."
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
