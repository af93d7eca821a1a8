import { type LeadChangeAction, maxChosenLeads } from "@leadline/contract/lead-changes";
import { isSearch, LeadStatus } from "@leadline/contract/leads";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { sendLeadChange, undoFromToast } from "../../data/lead-changes-query.ts";
import { conditionsIn, type LeadFilter } from "../../data/leads-query.ts";
import { mayOwnLeads } from "../../data/may-own-leads.ts";
import { membersQuery } from "../../data/members-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { deletedLabel, leadsWord } from "./change-labels.ts";
import type { Selection } from "./use-selection.ts";

interface SelectionBarProps {
  selection: Selection;
  filter: LeadFilter;
  /** Matching leads that aren't loaded yet. */
  hasMore: boolean;
}

/** Actions for the selected leads. Renders nothing without a selection. */
export function SelectionBar({ selection, filter, hasMore }: SelectionBarProps) {
  const [asking, setAsking] = useState<LeadChangeAction | null>(null);
  const members = useQuery(membersQuery).data ?? [];
  const { ids, all, clear } = selection;
  const changing = useMutation({
    mutationFn: (action: LeadChangeAction) => sendLeadChange({ ...chosenLeads(selection, filter), action }),
    onSuccess({ id, kind, state, changed }) {
      clear();
      if (state !== "done") return;
      if (kind === "delete")
        toast.success(deletedLabel(changed), { action: { label: "Undo", onClick: () => undoFromToast(id) } });
      else toast.success(kind === "do-not-call" ? "Their numbers are on the do-not-call list." : "Leads changed.");
    },
  });
  if (ids.length === 0) return null;
  // A filter may match more leads than the user has seen, and a do-not-call mark is permanent, so ask first.
  const run = (action: LeadChangeAction) =>
    all || action.kind === "do-not-call" ? setAsking(action) : changing.mutate(action);
  const busy = changing.isPending;
  return (
    <section aria-label="Chosen leads" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 rounded-md border border-brass/40 bg-brass-wash px-3 py-2 text-table">
        <output className="font-medium">
          {all ? "All leads that match are chosen" : `${leadsWord(ids.length)} chosen`}
        </output>
        {!all && (hasMore || ids.length > maxChosenLeads) ? (
          <Button tone="quiet" size="small" onClick={selection.chooseAll}>
            Choose all that match
          </Button>
        ) : null}
        <span className="ml-auto flex flex-wrap gap-1.5">
          <Menu
            trigger={
              <Button tone="plain" size="small" busy={busy}>
                Owner <ChevronDown aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem onSelect={() => run({ kind: "owner", ownerId: null })}>Unassigned</MenuItem>
            {members.filter(mayOwnLeads).map(({ userId, firstName, lastName }) => (
              <MenuItem key={userId} onSelect={() => run({ kind: "owner", ownerId: userId })}>
                {firstName} {lastName}
              </MenuItem>
            ))}
          </Menu>
          <Menu
            trigger={
              <Button tone="plain" size="small" busy={busy}>
                Status <ChevronDown aria-hidden="true" />
              </Button>
            }
          >
            {LeadStatus.options.map((status) => (
              <MenuItem key={status} onSelect={() => run({ kind: "status", status })}>
                {status}
              </MenuItem>
            ))}
          </Menu>
          <Button tone="plain" size="small" busy={busy} onClick={() => run({ kind: "do-not-call" })}>
            Do not call
          </Button>
          <Button tone="danger" size="small" busy={busy} onClick={() => run({ kind: "delete" })}>
            Delete
          </Button>
          <Button tone="quiet" size="small" className="px-2" aria-label="Choose none" onClick={clear}>
            <X aria-hidden="true" />
          </Button>
        </span>
      </div>
      {changing.isError ? <Notice title="Nothing was changed">{problemDetail(changing.error)}</Notice> : null}
      {asking ? (
        <ConfirmDialog
          title={questionOf(asking, all ? "all leads that match" : leadsWord(ids.length))}
          action={asking.kind === "delete" ? "Delete" : "Change"}
          run={() => changing.mutateAsync(asking)}
          onDone={() => undefined}
          onClose={() => setAsking(null)}
        >
          {asking.kind === "delete"
            ? "You can undo this for 10 minutes. Then their notes and files are gone for good."
            : asking.kind === "do-not-call"
              ? "Nobody in your organisation can call their numbers, until they are taken off the do-not-call list one by one."
              : "The list shows how far it is. There is no undo."}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

function chosenLeads({ ids, all }: Selection, { search, ...filter }: LeadFilter) {
  // Never sends more than was selected. If there are too many, the server refuses and says what to do.
  if (!all) return { ids };
  return { matching: { ...conditionsIn(filter), ...(isSearch(search) ? { search: search.trim() } : {}) } };
}

function questionOf({ kind }: LeadChangeAction, leads: string): string {
  if (kind === "delete") return `Delete ${leads}?`;
  return kind === "do-not-call" ? `Never call ${leads} again?` : `Change ${leads}?`;
}
