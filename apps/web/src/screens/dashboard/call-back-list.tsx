import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { FollowUpRow } from "../../components/follow-up-row.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { followUpsQuery } from "../../data/follow-ups-query.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

const shown = 6;

/** Whom to call back: the longest overdue first, then upcoming ones. */
export function CallBackList({ className }: { className?: string }) {
  const due = useQuery(followUpsQuery({ limit: shown + 1 }));
  return (
    <section
      aria-labelledby="call-back"
      className={clsx("flex flex-col rounded-md border border-line bg-panel", className)}
    >
      <h2 id="call-back" className="px-5 pt-5 pb-2 text-sm font-semibold">
        To call back
      </h2>
      {due.data ? (
        due.data.length > 0 ? (
          <>
            <ul className="flex flex-col pb-2">
              {due.data.slice(0, shown).map((followUp) => (
                <li key={followUp.lead?.id ?? followUp.phoneNumber} className="flex items-center gap-3 px-5 py-2">
                  <FollowUpRow followUp={followUp} />
                </li>
              ))}
            </ul>
            {due.data.length > shown ? (
              <p className="px-5 pb-4 text-xs text-ink-soft">
                The longest due come first.{" "}
                <Link to="/calls" search={{ tab: "call-back" }} className="font-medium text-brand hover:underline">
                  Show all
                </Link>
              </p>
            ) : null}
          </>
        ) : (
          <p className="grid flex-1 place-items-center px-5 pt-4 pb-10 text-center text-sm text-balance text-ink-soft">
            <span className="max-w-[36ch]">
              No callbacks due. Set a callback day during a call, and it appears here.
            </span>
          </p>
        )
      ) : due.isError ? (
        <div className="p-4 pt-0">
          <LoadFailed what="The callback list" query={due} />
        </div>
      ) : (
        <div aria-busy="true" className="flex flex-col gap-5 px-5 py-3">
          {["w-36", "w-28", "w-32"].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </section>
  );
}
