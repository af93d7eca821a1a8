import { useMutation } from "@tanstack/react-query";
import { problemDetail } from "../../data/problem-error.ts";
import { returnToOrganisation } from "../../data/switch-organisation.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";

interface SwitchedElsewhereDialogProps {
  /** The organisation that the page is about. */
  former: { id: string; name: string };
  active: { name: string };
  onBeginAnew: () => void;
}

/**
 * Shown over a half-filled form after the user has switched organisations elsewhere: it would be saved in the wrong
 * one. Dismissing it switches back.
 */
export function SwitchedElsewhereDialog({ former, active, onBeginAnew }: SwitchedElsewhereDialogProps) {
  const returning = useMutation({ mutationFn: () => returnToOrganisation(former.id) });
  return (
    <Dialog
      open
      onOpenChange={() => returning.mutate()}
      title={`You switched to ${active.name}`}
      description={`You switched in another tab or window. Your unsaved changes here are for ${former.name}.`}
      footer={
        <>
          <Button tone="quiet" onClick={onBeginAnew}>
            {" "}
            Discard changes
          </Button>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- who is typing meanwhile presses what keeps it */}
          <Button autoFocus busy={returning.isPending} onClick={() => returning.mutate()}>
            <span className="truncate">Go back to {former.name}</span>
          </Button>
        </>
      }
    >
      {returning.isError ? <Notice>{problemDetail(returning.error)}</Notice> : null}
    </Dialog>
  );
}
