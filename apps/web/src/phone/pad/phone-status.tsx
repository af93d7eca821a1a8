import { useEffect, useState } from "react";
import { useLiveConnectionState } from "../../data/live-events.ts";
import { classNames } from "../../ui/class-names.ts";
import { usePhoneState } from "../phone-provider.tsx";

const looks = {
  Ready: "bg-brand",
  Connecting: "animate-breathe bg-brass",
  Disconnected: "bg-fault",
} as const;

/** Trying for longer than this is called what it is. */
const patienceMs = 6000;

/** Ready / Connecting / Disconnected, in words and colour: the event stream and the held connection together. */
export function PhoneStatus() {
  const live = useLiveConnectionState();
  const { driver } = usePhoneState();
  if (live === "open" && driver === "ready") return <Status word="Ready" />;
  return <NotReady what={live === "open" ? "Your network blocks the audio." : "Trying again…"} />;
}

function NotReady({ what }: { what: string }) {
  const [givenUp, setGivenUp] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setGivenUp(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return givenUp ? <Status word="Disconnected" what={what} /> : <Status word="Connecting" />;
}

function Status({ word, what }: { word: keyof typeof looks; what?: string }) {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium" data-testid="phone-status">
      <span aria-hidden="true" className={classNames("size-2 rounded-full", looks[word])} />
      {word}
      {what ? <span className="text-xs font-normal text-ink-soft">{what}</span> : null}
    </p>
  );
}
