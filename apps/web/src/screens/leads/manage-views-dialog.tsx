import type { LeadView } from "@leadline/contract/lead-views";
import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { toast } from "sonner";
import { isAdmin, useOwnRole } from "../../components/use-own-role.ts";
import { removeView, saveView } from "../../data/lead-views-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Shares and deletes the user's own views; an admin can delete shared ones. */
export function ManageViewsDialog({ views, onClose }: { views: readonly LeadView[]; onClose: () => void }) {
  const mayDeleteAny = isAdmin(useOwnRole());
  const sharing = useMutation({
    mutationFn: ({ name, filter, columns, shared }: LeadView) => saveView({ name, filter, columns, shared: !shared }),
  });
  const deleting = useMutation({
    mutationFn: removeView,
    onSuccess: (_, { name, filter, columns, shared, own }) => {
      const undo = () =>
        void saveView({ name, filter, columns, shared }).catch((error: unknown) => toast.error(problemDetail(error)));
      toast.success(`${name} deleted.`, own ? { action: { label: "Undo", onClick: undo } } : undefined);
    },
  });
  const problem = sharing.error ?? deleting.error;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Views"
      footer={
        <Button tone="quiet" onClick={onClose}>
          Done
        </Button>
      }
    >
      {problem ? <Notice>{problemDetail(problem)}</Notice> : null}
      {views.length === 0 ? <p className="text-ink-soft">No views left.</p> : null}
      <ul aria-label="Views" className="flex flex-col">
        {views.map((view) => (
          <li key={view.id} className="flex items-center gap-3 border-line py-1 not-first:border-t">
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium">{view.name}</span>
              {view.own ? null : <span className="block truncate text-xs text-ink-soft">By {view.userName}</span>}
            </span>
            {view.own ? (
              <Checkbox
                label={
                  <>
                    Shared<span className="sr-only"> {view.name}</span>
                  </>
                }
                // Shows the choice at once, and the saved value again if it is refused.
                checked={
                  sharing.isPending && sharing.variables.id === view.id ? !sharing.variables.shared : view.shared
                }
                disabled={sharing.isPending}
                onChange={() => sharing.mutate(view)}
              />
            ) : null}
            {view.own || mayDeleteAny ? (
              <IconButton label={`Delete ${view.name}`} onClick={() => deleting.mutate(view)}>
                <Trash2 aria-hidden="true" />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
