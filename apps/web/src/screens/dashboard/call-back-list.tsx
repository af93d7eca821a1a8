import type { FollowUp } from "@leadline/contract/follow-ups";
import { useQuery } from "@tanstack/react-query";
import { Phone } from "lucide-react";
import { dueWords } from "../../components/due-words.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useToday } from "../../components/use-day.ts";
import { followUpsQuery } from "../../data/follow-ups-query.ts";
import { useCallNumber } from "../../phone/use-call-number.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

const shown = 6;

/** Whom to call back today, the longest due first. */
export function CallBackList({ className }: { className?: string }) {
  const today = useToday();
  const due = useQuery(followUpsQuery({ until: today, limit: shown + 1 }));
  return (
    <section
      aria-labelledby="call-back"
      className={classNames("flex flex-col rounded-md border border-line bg-panel", className)}
    >
      <h2 id="call-back" className="px-5 pt-5 pb-2 text-sm font-semibold">
        To call back
      </h2>
      {due.data ? (
        due.data.length > 0 ? (
          <>
            <ul className="flex flex-col pb-2">
              {due.data.slice(0, shown).map((followUp) => (
                <Row key={followUp.lead?.id ?? followUp.phoneNumber} followUp={followUp} today={today} />
              ))}
            </ul>
            {due.data.length > shown ? (
              <p className="px-5 pb-4 text-xs text-ink-soft">More are due; the longest due come first.</p>
            ) : null}
          </>
        ) : (
          <p className="grid flex-1 place-items-center px-5 pt-4 pb-10 text-center text-sm text-balance text-ink-soft">
            <span className="max-w-[36ch]">
              Nobody waits for your call. Set a follow-up day in a call, and they stand here on that day.
            </span>
          </p>
        )
      ) : due.isError ? (
        <div className="p-4 pt-0">
          <LoadFailed
            what="The follow-ups"
            error={due.error}
            retrying={due.isFetching}
            onRetry={() => void due.refetch()}
          />
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

function Row({ followUp, today }: { followUp: FollowUp; today: string }) {
  const call = useCallNumber();
  const { lead, phoneNumber, followUpOn, lastCall } = followUp;
  const number = phoneNumber === null ? (lead?.phone ?? "") : formatPhoneNumber(phoneNumber);
  const name = lead ? `${lead.firstName} ${lead.lastName}` : number;
  const late = followUpOn < today;
  return (
    <li className="flex items-center gap-3 px-5 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <span className="truncate font-medium tabular-nums">{name}</span>
          <span className={classNames("shrink-0 text-xs", late ? "font-medium text-fault" : "text-ink-soft")}>
            {dueWords(followUpOn, today)}
          </span>
        </p>
        <p className="truncate text-xs text-ink-soft tabular-nums">
          {lastCall?.note || (lead ? number : (lastCall?.outcomeName ?? "No note"))}
        </p>
      </div>
      <Button
        tone="plain"
        size="small"
        disabled={!call || phoneNumber === null}
        aria-label={`Call ${name}`}
        onClick={() => phoneNumber !== null && call?.(phoneNumber)}
      >
        <Phone aria-hidden="true" className="text-call" />
        Call
      </Button>
    </li>
  );
}
