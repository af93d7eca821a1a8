import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { Grid3x3, Mic, MicOff, PhoneOff } from "lucide-react";
import { leadNames } from "../components/lead-names.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { isActive } from "./call/call-phase.ts";
import { callStageWords, soundPlace } from "./call/phone-state.ts";
import { CallTimer } from "./in-call/call-timer.tsx";
import { QualityBadge } from "./in-call/quality-badge.tsx";
import { useFormattedNumber } from "./numbers/use-formatted-number.ts";
import { usePhone, usePhoneState } from "./phone-provider.tsx";

/** On every page but the phone's own, the live call stays at the bottom. */
export function CallBar() {
  const state = usePhoneState();
  const onPhonePage = useRouterState({ select: ({ location }) => location.pathname === "/calls" });
  return !onPhonePage && isActive(state.phase) ? <Bar /> : null;
}

function Bar() {
  const phone = usePhone();
  const state = usePhoneState();
  const navigate = useNavigate();
  const number = useFormattedNumber(state.call?.phoneNumber ?? state.dialled);
  const place = soundPlace(state);
  return (
    <section
      aria-label="Current call"
      className="sticky bottom-0 z-30 flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-t border-brass bg-panel px-4 py-2 shadow-lift"
    >
      <div
        className={classNames(
          "flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4",
          // Beside a third button the number has no room on a small screen.
          place !== "here" && "max-md:basis-full",
        )}
      >
        <Link to="/calls" className="truncate text-sm font-semibold tabular-nums hover:underline">
          {leadNames(state.call?.leads ?? []) ?? number}
        </Link>
        <p className="flex items-center gap-3 text-table text-ink-soft">
          <span className="truncate">{callStageWords(state)}</span>
          {state.answeredMs === null ? null : (
            <CallTimer answeredMs={state.answeredMs} className="font-medium text-ink tabular-nums" />
          )}
          <QualityBadge quality={state.sound.quality} compact />
        </p>
      </div>
      {state.trouble ? (
        <p role="status" className="order-last w-full text-table text-fault md:order-none md:w-auto">
          {state.trouble}
        </p>
      ) : null}
      {place === "here" ? null : (
        <Button tone="plain" size="small" busy={state.takingSound} onClick={() => void phone.takeSound()}>
          {place === "lost" ? "Rejoin" : "Take the audio here"}
        </Button>
      )}
      <div className="flex items-center gap-1">
        <IconButton
          label="Mute"
          aria-pressed={state.muted}
          disabled={!state.call}
          className="aria-pressed:bg-brass-wash"
          onClick={() => void phone.setMuted(!state.muted)}
        >
          {state.muted ? <MicOff /> : <Mic />}
        </IconButton>
        <IconButton
          label="Keypad"
          onClick={() => {
            phone.show("keypad");
            void navigate({ to: "/calls" });
          }}
        >
          <Grid3x3 />
        </IconButton>
        <Button asChild tone="plain" size="small" className="max-md:hidden">
          <Link to="/calls">Open</Link>
        </Button>
        <Button
          tone="end"
          size="small"
          disabled={state.hangingUp || state.phase === "abandoning"}
          onClick={() => void phone.hangUp()}
        >
          <PhoneOff aria-hidden="true" />
          Hang up
        </Button>
      </div>
    </section>
  );
}
