import type { CallOutcome } from "@leadline/contract/call-outcomes";
import { Archive, ArrowDown, ArrowUp, Ellipsis, Pencil, Phone, PhoneOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { problemDetail } from "../../data/problem-error.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { OutcomeNameForm } from "./outcome-name-form.tsx";
import { useOrderOutcomes, useRemoveOutcome, useUpdateOutcome } from "./use-change-outcomes.ts";

interface OfferedOutcomesProps {
  outcomes: readonly CallOutcome[];
  mayEdit: boolean;
}

export function OfferedOutcomes({ outcomes, mayEdit }: OfferedOutcomesProps) {
  const ordering = useOrderOutcomes();
  if (outcomes.length === 0)
    return (
      <EmptyState title="No outcomes" className="py-10">
        Without any, a call has a note only. Add the few that your team tells apart.
      </EmptyState>
    );
  const swap = (first: number) => {
    const ids = outcomes.map(({ id }) => id);
    ordering.mutate([...ids.slice(0, first), ...ids.slice(first, first + 2).toReversed(), ...ids.slice(first + 2)]);
  };
  return (
    <ol aria-label="Outcomes" className="rounded-md border border-line bg-panel">
      {outcomes.map((outcome, index) => (
        <li
          key={outcome.id}
          className="flex min-h-12 items-center gap-1 border-b border-line py-1 pr-2 pl-4 last:border-b-0"
        >
          {mayEdit ? (
            <Editable
              outcome={outcome}
              onUp={index > 0 ? () => swap(index - 1) : null}
              onDown={index < outcomes.length - 1 ? () => swap(index) : null}
            />
          ) : (
            <>
              <span className="min-w-0 flex-1 truncate font-medium">{outcome.name}</span>
              <DoNotCallMark outcome={outcome} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface EditableProps {
  outcome: CallOutcome;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
}

function Editable({ outcome, onUp, onDown }: EditableProps) {
  const [renaming, setRenaming] = useState(false);
  const updating = useUpdateOutcome();
  const removing = useRemoveOutcome();
  const { id, name, inUse, doNotCall } = outcome;
  if (renaming)
    return (
      <div className="flex-1 py-2 pr-2">
        <OutcomeNameForm
          label={`New name for “${name}”`}
          submit="Save"
          name={name}
          onCancel={() => setRenaming(false)}
          onSubmit={async (newName) => {
            await updating.mutateAsync({ id, name: newName });
            setRenaming(false);
          }}
        />
      </div>
    );
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <DoNotCallMark outcome={outcome} />
      <IconButton label={`Move ${name} up`} size="small" disabled={!onUp} onClick={() => onUp?.()}>
        <ArrowUp />
      </IconButton>
      <IconButton label={`Move ${name} down`} size="small" disabled={!onDown} onClick={() => onDown?.()}>
        <ArrowDown />
      </IconButton>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`} size="small" aria-busy={removing.isPending || undefined}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setRenaming(true)}>
          <Pencil aria-hidden="true" />
          Rename…
        </MenuItem>
        <MenuItem
          onSelect={() =>
            updating.mutate({ id, doNotCall: !doNotCall }, { onError: (error) => toast.error(problemDetail(error)) })
          }
        >
          {doNotCall ? <Phone aria-hidden="true" /> : <PhoneOff aria-hidden="true" />}
          {doNotCall ? "Keep numbers callable" : "Put numbers on do not call"}
        </MenuItem>
        <MenuItem onSelect={() => removing.mutate({ id, name })}>
          {inUse ? <Archive aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
          {inUse ? "Archive" : "Remove"}
        </MenuItem>
      </Menu>
    </>
  );
}

/** Choosing such an outcome has an effect beyond the log, which is told where it is edited. */
function DoNotCallMark({ outcome }: { outcome: CallOutcome }) {
  if (!outcome.doNotCall) return null;
  return <Badge title="Choosing it puts the number on the do-not-call list">Stops calls</Badge>;
}
