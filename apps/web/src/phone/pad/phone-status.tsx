import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { useOnline } from "../../components/use-online.ts";
import { useLiveConnectionState } from "../../data/live-events.ts";
import { isActive } from "../call/call-phase.ts";
import { callStageLabel, isWithoutAudio } from "../call/phone-state.ts";
import type { MicrophoneProblem } from "../microphone/open-microphone.ts";
import { useDevices, usePhoneState } from "../phone-context.ts";
import { notReadyLabel } from "./not-ready-label.ts";

const looks = {
  good: "bg-brand",
  waiting: "animate-breathe bg-brass",
  held: "bg-brass",
  bad: "bg-fault",
} as const;

const microphoneWords: Record<MicrophoneProblem, string> = {
  insecure: "No microphone",
  denied: "Microphone not allowed",
  none: "No microphone",
  busy: "Microphone busy",
};

/** After this long, "connecting" becomes an error. */
const patienceMs = 6000;

/** The phone's state or why it isn't ready, in words and colour; Ready only if pressing Call would call. */
export function PhoneStatus() {
  const live = useLiveConnectionState();
  const online = useOnline();
  const state = usePhoneState();
  const { problem } = useDevices();
  const active = isActive(state.phase);
  if (!online) return <Status look="bad" word="Offline" what={active ? "Trying to reconnect the call." : undefined} />;
  if (active && isWithoutAudio(state)) return <Status look="bad" word={callStageLabel(state)} quiet />;
  if (active) return <InCall words={callStageLabel(state)} held={state.held || state.call?.heldByThem === true} />;
  if (problem) return <Status look="bad" word={microphoneWords[problem]} />;
  if (live === "open" && state.driver === "ready") return <Status look="good" word="Ready" />;
  return <NotReady what={notReadyLabel(live, state.obstacle)} />;
}

/** The announcer reads this out, so it isn't a live region of its own. */
function InCall({ words, held }: { words: string; held: boolean }) {
  const look = words.endsWith("…") ? "waiting" : held ? "held" : "good";
  return <Status look={look} word={words} quiet />;
}

function NotReady({ what }: { what: string }) {
  const [givenUp, setGivenUp] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setGivenUp(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return givenUp ? <Status look="bad" word="Disconnected" what={what} /> : <Status look="waiting" word="Connecting…" />;
}

interface StatusProps {
  look: keyof typeof looks;
  word: string;
  what?: string | undefined;
  quiet?: boolean;
}

function Status({ look, word, what, quiet = false }: StatusProps) {
  return (
    <p
      role={quiet ? undefined : "status"}
      className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium"
      data-testid="phone-status"
    >
      <span aria-hidden="true" className={clsx("size-2 shrink-0 rounded-full", looks[look])} />
      {word}
      {what ? <span className="text-xs font-normal text-pretty text-ink-soft">{what}</span> : null}
    </p>
  );
}
