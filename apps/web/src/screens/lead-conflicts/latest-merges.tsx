import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { leadName } from "../../components/lead-name.ts";
import { useTimes } from "../../components/use-times.ts";
import { leadMergesQuery } from "../../data/lead-conflicts-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useUndoMerge } from "./use-merges.ts";

/** Merges that can be undone. Renders nothing if there are none. */
export function LatestMerges() {
  const merges = useQuery(leadMergesQuery).data ?? [];
  const undoing = useUndoMerge();
  const times = useTimes();
  if (merges.length === 0) return null;
  return (
    <section aria-labelledby="latest-merges">
      <h2 id="latest-merges" className="mb-2 text-sm font-semibold">
        Latest merges
      </h2>
      {undoing.isError ? <Notice className="mb-2">{problemDetail(undoing.error)}</Notice> : null}
      <ul className="rounded-md border border-line bg-panel">
        {merges.map(({ id, lead, merged, userName, createdAt }) => {
          const name = lead ? leadName(lead) : "A deleted lead";
          return (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 text-table last:border-b-0"
            >
              {lead ? (
                <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={`${textLinkLook} font-medium`}>
                  {name}
                </Link>
              ) : (
                <span className="font-medium">{name}</span>
              )}
              <span className="text-ink-soft">
                {merged === 1 ? "1 lead" : `${merged} leads`} merged in by {userName},{" "}
                <time dateTime={createdAt} title={times.full(createdAt)}>
                  {times.when(createdAt)}
                </time>
              </span>
              <Button
                tone="plain"
                size="small"
                className="ml-auto"
                aria-label={`Undo the merge into ${name}`}
                busy={undoing.isPending && undoing.variables === id}
                onClick={() => undoing.mutate(id)}
              >
                Undo
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
