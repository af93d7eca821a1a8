import type { CallOutcome } from "@leadline/contract/call-outcomes";
import { toast } from "sonner";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { useUpdateOutcome } from "./use-change-outcomes.ts";

/** No longer offered, still shown on the calls that carry them. */
export function ArchivedOutcomes({ outcomes, mayEdit }: { outcomes: readonly CallOutcome[]; mayEdit: boolean }) {
  const updating = useUpdateOutcome();
  if (outcomes.length === 0) return null;
  return (
    <section aria-labelledby="archived">
      <h2 id="archived" className="mb-2 text-sm font-semibold">
        Archived
      </h2>
      <ul className="rounded-md border border-line bg-panel">
        {outcomes.map(({ id, name }) => (
          <li
            key={id}
            className="flex min-h-12 items-center justify-between gap-3 border-b border-line py-1 pr-2 pl-4 text-ink-soft last:border-b-0"
          >
            <span className="min-w-0 truncate">{name}</span>
            {mayEdit ? (
              <Button
                tone="quiet"
                size="small"
                aria-label={`Offer ${name} again`}
                busy={updating.isPending && updating.variables.id === id}
                onClick={() =>
                  updating.mutate({ id, archived: false }, { onError: (error) => toast.error(problemDetail(error)) })
                }
              >
                Offer again
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
