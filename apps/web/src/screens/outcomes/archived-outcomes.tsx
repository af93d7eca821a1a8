import type { CallOutcome } from "@leadline/contract/call-outcomes";
import { useRefusal } from "../../components/use-refusal.ts";
import { Button } from "../../ui/button.tsx";
import { ItemNote } from "../../ui/row-note.tsx";
import { useUpdateOutcome } from "./use-change-outcomes.ts";

/** No longer offered, but still shown on the calls that have them. */
export function ArchivedOutcomes({ outcomes, mayEdit }: { outcomes: readonly CallOutcome[]; mayEdit: boolean }) {
  if (outcomes.length === 0) return null;
  return (
    <section aria-labelledby="archived">
      <h2 id="archived" className="mb-2 text-sm font-semibold">
        Archived
      </h2>
      <ul className="rounded-md border border-line bg-panel">
        {outcomes.map((outcome) => (
          <ArchivedOutcome key={outcome.id} outcome={outcome} mayEdit={mayEdit} />
        ))}
      </ul>
    </section>
  );
}

function ArchivedOutcome({ outcome: { id, name }, mayEdit }: { outcome: CallOutcome; mayEdit: boolean }) {
  const { refusal, refusalHandlers } = useRefusal();
  const updating = useUpdateOutcome(refusalHandlers);
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line py-1 pr-2 pl-4 text-ink-soft last:border-b-0">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {mayEdit ? (
        <Button
          tone="quiet"
          size="small"
          aria-label={`Offer ${name} again`}
          busy={updating.isPending}
          onClick={() => updating.mutate({ id, archived: false })}
        >
          Offer again
        </Button>
      ) : null}
      {refusal ? <ItemNote>{refusal}</ItemNote> : null}
    </li>
  );
}
