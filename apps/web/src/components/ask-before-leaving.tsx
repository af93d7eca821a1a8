import { useBlocker } from "@tanstack/react-router";
import { isSignedIn } from "../data/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Beside a form that holds what is not saved: whoever goes elsewhere, or closes the tab, is asked first. */
export function AskBeforeLeaving({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    // A session that has ended leads to the login, and nobody could save here any more.
    enableBeforeUnload: () => unsaved && isSignedIn(),
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return <LeaveUnsavedDialog onStay={blocker.reset} onLeave={blocker.proceed} />;
}

export function LeaveUnsavedDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onStay}
      title="Leave without saving?"
      description="What you entered here is not saved yet, and would be lost."
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
