import type { PeriodFigures } from "@leadline/contract/statistics";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { isAdmin, useOwnRole } from "../../components/use-own-role.ts";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { wholePercents } from "./whole-percents.ts";

const shades = ["bg-chart-1", "bg-chart-2", "bg-chart-3", "bg-chart-4", "bg-chart-5", "bg-chart-6"];

/** One bar for all ended calls. Each outcome keeps its colour across periods. */
export function OutcomesBar({ figures }: { figures: PeriodFigures }) {
  const list = useQuery(callOutcomesQuery).data ?? [];
  const mayEdit = isAdmin(useOwnRole());
  const { outcomes } = figures;
  const percents = wholePercents(outcomes.map(({ calls }) => calls));
  const shadeOf = (outcomeId: string | null): string => {
    const place = list.findIndex(({ id }) => id === outcomeId);
    return outcomeId === null || place < 0 ? "bg-ink/15" : (shades[place % shades.length] ?? "bg-ink/15");
  };
  const chosen = outcomes.some(({ outcomeId }) => outcomeId !== null);
  return (
    <section aria-labelledby="outcomes" className="flex flex-col rounded-md border border-line bg-panel p-5">
      <h2 id="outcomes" className="text-sm font-semibold">
        Outcomes
      </h2>
      {chosen ? (
        <>
          <div aria-hidden="true" className="mt-4 flex h-6 gap-px overflow-hidden rounded-md">
            {outcomes.map(({ outcomeId, name, calls }) => (
              <span key={name} title={`${name}: ${calls}`} className={shadeOf(outcomeId)} style={{ flexGrow: calls }} />
            ))}
          </div>
          <ul className="mt-4 grid gap-x-6 gap-y-1.5 text-table sm:grid-cols-2">
            {outcomes.map(({ outcomeId, name, calls }, index) => (
              <li key={name} className="flex items-center gap-2">
                <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-[3px] ${shadeOf(outcomeId)}`} />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="font-medium tabular-nums">{calls}</span>
                <span className="w-10 text-right text-ink-soft tabular-nums">{percents[index]} %</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="grid flex-1 place-items-center py-8 text-center text-sm text-balance text-ink-soft">
          <span className="max-w-[44ch]">
            Choose an outcome during or after each call to see your results here.
            {mayEdit ? (
              <>
                {" "}
                The list is{" "}
                <Link to="/settings/outcomes" className={textLinkLook}>
                  yours to edit
                </Link>
                .
              </>
            ) : null}
          </span>
        </p>
      )}
    </section>
  );
}
