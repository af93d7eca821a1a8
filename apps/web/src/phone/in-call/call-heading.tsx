import { clsx } from "clsx";
import { useEffect } from "react";
import { leadOfCall, leadsLabel } from "../../components/lead-names.ts";
import { callStageLabel, isReconnecting } from "../call/phone-state.ts";
import { isConference } from "../call/two-calls.ts";
import { useTakeLostFocus } from "../../ui/use-take-lost-focus.ts";
import { useOtherEnd } from "../numbers/use-other-end.ts";
import { usePhoneState } from "../phone-context.ts";
import { CallTimer } from "./call-timer.tsx";
import { MutedBadge } from "./muted-badge.tsx";
import { QualityBadge } from "./quality-badge.tsx";
import { RunningCost } from "./running-cost.tsx";

/**
 * Who the call is with, its state, duration and quality. It takes the focus of a control that is gone: the one that
 * started the call, and those of a second line that has ended.
 */
export function CallHeading() {
  const state = usePhoneState();
  const number = useOtherEnd(state.call ?? { phoneNumber: state.dialled, callerId: null });
  const leads = state.call?.leads ?? [];
  const name = leadOfCall(leads);
  const conference = isConference(state);
  const stage = callStageLabel(state);
  const place = useTakeLostFocus({ when: state.other === null });
  const broken = isReconnecting(state);
  // Zoomed in, the page is scrolled to the keys when Call is pressed.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [place]);
  return (
    <div ref={place} tabIndex={-1} className="flex scroll-mt-28 flex-col items-center gap-1 text-center outline-none">
      <p dir="auto" className="max-w-full truncate text-title font-semibold tabular-nums">
        {conference ? "2 people" : (name ?? number)}
      </p>
      {name === null || conference ? null : <p className="text-ink-soft tabular-nums">{number}</p>}
      {leads.length > 1 && !conference ? (
        <p className="text-sm text-ink-soft">{leadsLabel(leads.length)} this number</p>
      ) : null}
      {/* Its space is reserved until the answer, so that no key moves then. */}
      <div className="min-h-9">
        {state.answeredMs === null ? null : (
          <CallTimer answeredMs={state.answeredMs} className="text-[28px]/9 font-semibold tabular-nums" />
        )}
      </div>
      <p className="flex min-h-5 flex-wrap items-center justify-center gap-x-3 text-sm">
        <span
          className={clsx("flex items-center gap-1.5", broken ? "text-fault" : "text-ink-soft")}
          data-testid="call-stage"
        >
          {stage}
        </span>
        <RunningCost className="text-ink-soft" />
        <MutedBadge />
        <QualityBadge quality={broken ? null : state.sound.quality} />
      </p>
    </div>
  );
}
