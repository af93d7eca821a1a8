import type { CallOutcome } from "@leadline/contract/call-outcomes";
import {
  Archive,
  ArrowDown,
  ArrowUp,
  CalendarClock,
  CalendarX,
  Ellipsis,
  Pencil,
  Phone,
  PhoneOff,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useRefusal } from "../../components/use-refusal.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { ItemNote } from "../../ui/row-note.tsx";
import { OutcomeNameForm } from "./outcome-name-form.tsx";
import { useOrderOutcomes, useRemoveOutcome, useUpdateOutcome } from "./use-change-outcomes.ts";

interface OfferedOutcomesProps {
  outcomes: readonly CallOutcome[];
  mayEdit: boolean;
}

export function OfferedOutcomes({ outcomes, mayEdit }: OfferedOutcomesProps) {
  if (outcomes.length === 0)
    return (
      <EmptyState title="No outcomes" className="py-10">
        Add the few outcomes your team needs. Without any, calls have only a note.
      </EmptyState>
    );
  const ids = outcomes.map(({ id }) => id);
  const swapped = (first: number) =>
    first < 0 || first > ids.length - 2
      ? null
      : [...ids.slice(0, first), ...ids.slice(first, first + 2).toReversed(), ...ids.slice(first + 2)];
  return (
    <ol aria-label="Outcomes" className="rounded-md border border-line bg-panel">
      {outcomes.map((outcome, index) => (
        <li
          key={outcome.id}
          className="flex min-h-12 flex-wrap items-center gap-x-1 border-b border-line py-1 pr-2 pl-4 last:border-b-0"
        >
          {mayEdit ? (
            <Editable outcome={outcome} orderIfUp={swapped(index - 1)} orderIfDown={swapped(index)} />
          ) : (
            <>
              <span className="min-w-0 flex-1 truncate font-medium">{outcome.name}</span>
              <EffectMark outcome={outcome} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface EditableProps {
  outcome: CallOutcome;
  /** The ids of all outcomes in the new order. Null for the first or last one. */
  orderIfUp: string[] | null;
  orderIfDown: string[] | null;
}

function Editable({ outcome, orderIfUp, orderIfDown }: EditableProps) {
  const [renaming, setRenaming] = useState(false);
  const { refusal, refusalHandlers } = useRefusal();
  const rename = useUpdateOutcome();
  const updating = useUpdateOutcome(refusalHandlers);
  const removing = useRemoveOutcome(refusalHandlers);
  const ordering = useOrderOutcomes(refusalHandlers);
  const { id, name, inUse, doNotCall, callBack } = outcome;
  if (renaming)
    return (
      <div className="flex-1 py-2 pr-2">
        <OutcomeNameForm
          label={`New name for “${name}”`}
          submit="Save"
          name={name}
          onCancel={() => setRenaming(false)}
          onSubmit={async (newName) => {
            await rename.mutateAsync({ id, name: newName });
            setRenaming(false);
          }}
        />
      </div>
    );
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <EffectMark outcome={outcome} />
      <IconButton
        label={`Move ${name} up`}
        size="small"
        disabled={!orderIfUp}
        onClick={() => orderIfUp && ordering.mutate(orderIfUp)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={`Move ${name} down`}
        size="small"
        disabled={!orderIfDown}
        onClick={() => orderIfDown && ordering.mutate(orderIfDown)}
      >
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
        <MenuItem onSelect={() => updating.mutate({ id, callBack: !callBack })}>
          {callBack ? <CalendarX aria-hidden="true" /> : <CalendarClock aria-hidden="true" />}
          {callBack ? "Stop setting a callback day" : "Set a callback day"}
        </MenuItem>
        <MenuItem onSelect={() => updating.mutate({ id, doNotCall: !doNotCall })}>
          {doNotCall ? <Phone aria-hidden="true" /> : <PhoneOff aria-hidden="true" />}
          {doNotCall ? "Stop adding to do not call" : "Add numbers to do not call"}
        </MenuItem>
        <MenuItem onSelect={() => removing.mutate({ id, name })}>
          {inUse ? <Archive aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
          {inUse ? "Archive" : "Remove"}
        </MenuItem>
      </Menu>
      {refusal ? <ItemNote>{refusal}</ItemNote> : null}
    </>
  );
}

/** Marks an outcome with an effect beyond the log. The effect is explained in its form. */
function EffectMark({ outcome: { doNotCall, callBack } }: { outcome: CallOutcome }) {
  if (doNotCall) return <Badge title="Choosing it adds the number to the do-not-call list">Do not call</Badge>;
  if (callBack) return <Badge title="Choosing it sets a callback for the next working day">Callback</Badge>;
  return null;
}
