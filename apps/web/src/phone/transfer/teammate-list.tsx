import type { Teammate } from "@leadline/contract/transfers";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { problemDetail } from "../../data/problem-error.ts";
import { Notice } from "../../ui/notice.tsx";
import { nameOf, type MatchingTeammates } from "./use-matching-teammates.ts";

const presences = {
  free: { words: "Free", dot: "bg-brand" },
  "in-call": { words: "In a call", dot: "bg-brass" },
  away: { words: "Away", dot: "bg-ink/25" },
} as const satisfies Record<Teammate["presence"], object>;

interface TeammateListProps {
  teammates: MatchingTeammates;
  chosen: string | null;
  disabled: boolean;
  onChoose: (userId: string | null) => void;
}

/** The teammates who can take the call, available ones first. Choosing one sends nothing yet. */
export function TeammateList({ teammates: { shown, error }, chosen, disabled, onChoose }: TeammateListProps) {
  if (error) return <Notice>Couldn’t load your teammates. {problemDetail(error)}</Notice>;
  if (shown.length === 0) return null;
  return (
    <section aria-label="Teammates" className="flex flex-col gap-1">
      <h3 className="text-xs text-ink-soft">Teammates</h3>
      <ul className="-mx-2 max-h-52 overflow-y-auto">
        {shown.map((one) => (
          <li key={one.userId}>
            <button
              type="button"
              disabled={disabled || one.presence !== "free"}
              aria-pressed={chosen === one.userId}
              onClick={() => onChoose(chosen === one.userId ? null : one.userId)}
              className="flex min-h-11 w-full items-center gap-3 rounded-[6px] border border-transparent px-2 text-left text-sm hover:not-disabled:bg-ink/6 disabled:cursor-not-allowed aria-pressed:border-brand aria-pressed:bg-brand/10"
            >
              <span className="min-w-0 flex-1 truncate font-medium">{nameOf(one)}</span>
              {chosen === one.userId ? <Check aria-hidden="true" className="size-4 shrink-0 text-brand" /> : null}
              <span className="flex shrink-0 items-center gap-2 text-table text-ink-soft">
                <span aria-hidden="true" className={clsx("size-2 rounded-full", presences[one.presence].dot)} />
                {presences[one.presence].words}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
