import type { CarrierCheck } from "@leadline/contract/carriers";
import { CircleCheck, CircleX } from "lucide-react";
import type { z } from "zod";
import { Spinner } from "../../ui/spinner.tsx";

/** The steps of a check with their results. */
export function CheckResults({ checks }: { checks: readonly z.infer<typeof CarrierCheck>[] }) {
  const works = checks.every(({ ok }) => ok);
  return (
    <section
      role="status"
      aria-label="Connection test"
      className="flex flex-col gap-3 rounded-md border border-line bg-panel px-4 py-3 text-sm"
    >
      <p className="font-semibold">{works ? "The connection works" : "The connection does not work yet"}</p>
      <ul className="flex flex-col gap-2">
        {checks.map(({ what, ok, sentence }) => (
          <li key={what} className="flex items-start gap-2.5">
            {ok ? (
              <CircleCheck role="img" aria-label="Works" className="mt-0.5 size-4 shrink-0 text-brand" />
            ) : (
              <CircleX role="img" aria-label="Fails" className="mt-0.5 size-4 shrink-0 text-fault" />
            )}
            <p className="min-w-0 text-pretty [overflow-wrap:anywhere]">
              <span className="font-medium">{what}.</span> <span className="text-ink-soft">{sentence}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CheckUnderWay() {
  return (
    <p role="status" className="flex items-center gap-2.5 text-sm text-ink-soft">
      <Spinner /> Testing the connection. This can take up to a minute if something doesn’t respond.
    </p>
  );
}
