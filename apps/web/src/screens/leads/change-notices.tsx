import { type LeadChange, undoMinutes } from "@leadline/contract/lead-changes";
import { maxLeadsCounted } from "@leadline/contract/leads";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { leadChangesQuery, undoDeletion } from "../../data/lead-changes-query.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { useNow } from "../../components/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { deletedLabel, leadsWord } from "./change-labels.ts";

/** Bulk changes in progress, and the last deletion while it can be undone, even after a reload. */
export function ChangeNotices() {
  const changes = useQuery(leadChangesQuery).data ?? [];
  const queryClient = useQueryClient();
  const now = useNow();
  const readsOnly = useReadsOnly();
  const running = changes.filter(({ state }) => state === "running" || state === "undoing");
  const deletion = changes.find((one) => one.kind === "delete" && isOpen(one, now.getTime()));
  const failed = changes.filter((one) => one.state === "failed" && isOpen(one, now.getTime()));
  const isRunning = running.length > 0;
  useEffect(() => {
    // Refetches the leads when it has ended.
    if (isRunning) return () => void queryClient.invalidateQueries({ queryKey: [...leadsKey, "list"] });
    return undefined;
  }, [isRunning, queryClient]);
  return (
    <>
      {running.map((change) => (
        <Notice key={change.id} tone="brass">
          {runningWords(change)}
        </Notice>
      ))}
      {failed.map(({ id, kind, changed }) => (
        <Notice key={id} title="The change stopped because of an error on our side">
          {kind === "delete"
            ? `Deleted at the moment: ${leadsWord(changed)}. Try again.`
            : `${leadsWord(changed)} changed before that. Try again for the others.`}
        </Notice>
      ))}
      {deletion && !readsOnly ? <Deletion deletion={deletion} /> : null}
    </>
  );
}

const isOpen = ({ state, undoUntil }: LeadChange, now: number): boolean =>
  (state === "done" || state === "failed") && undoUntil !== null && Date.parse(undoUntil) > now;

function Deletion({ deletion }: { deletion: LeadChange }) {
  const undoing = useMutation({ mutationFn: () => undoDeletion(deletion.id) });
  return (
    <Notice
      tone="brass"
      action={
        <Button tone="plain" size="small" busy={undoing.isPending} onClick={() => undoing.mutate()}>
          Undo
        </Button>
      }
    >
      {deletedLabel(deletion.changed)} You can undo this for {undoMinutes} minutes.
      {undoing.isError ? (
        <span role="alert" className="block text-fault">
          {problemDetail(undoing.error)}
        </span>
      ) : null}
    </Notice>
  );
}

const doing = {
  owner: "Changing the owner",
  status: "Changing the status",
  "do-not-call": "Marking as do not call",
  delete: "Deleting",
} as const satisfies Record<LeadChange["kind"], string>;

function runningWords({ kind, state, changed, total }: LeadChange): string {
  if (state === "undoing") return `Putting back deleted leads: ${leadsWord(changed)} to go.`;
  const of = total === null ? "" : ` of ${total.toLocaleString()}${total === maxLeadsCounted ? "+" : ""}`;
  return `${doing[kind]}: ${changed.toLocaleString()}${of} so far.`;
}
