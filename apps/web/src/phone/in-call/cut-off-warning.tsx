import type { Call } from "@leadline/contract/calls";
import { TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDuration } from "../../components/format-time.ts";
import { usePhoneState } from "../phone-context.ts";
import { useWho } from "../second-line/use-who.ts";

const reasons = {
  "spending-limit": "Your organisation has almost reached its daily spending limit.",
  "member-spending-limit": "You’ve almost reached your own daily spending limit.",
  "balance-used-up": "Your organisation’s balance is almost used up. Top up under Settings, Billing.",
  "call-length-limit": "You’ve almost reached your organisation’s maximum call length.",
  "member-call-length-limit": "You’ve almost reached your own maximum call length.",
} as const satisfies Record<NonNullable<Call["cutOff"]>["reason"], string>;

type EndingCall = Call & { cutOff: NonNullable<Call["cutOff"]> };
const isEnding = (call: Call | null): call is EndingCall => call !== null && call.cutOff !== null;

/** Counts down to the moment at which a limit ends the call. Two calls share one warning, so that it stays small. */
export function CutOffWarning({ className = "" }: { className?: string }) {
  const { call, other } = usePhoneState();
  const nameOf = useWho();
  const [first, ...later] = [call, other]
    .filter(isEnding)
    .toSorted((one, another) => one.cutOff.at.localeCompare(another.cutOff.at));
  if (!first) return null;
  const who = later.length > 0 ? "Both calls" : call && other ? `The call with ${nameOf(first)}` : "This call";
  return (
    <Countdown
      key={[first, ...later].map(({ callSid, cutOff }) => `${callSid} ${cutOff.at}`).join()}
      calls={[first, ...later]}
      who={who}
      verb={later.length > 0 ? "end" : "ends"}
      reason={reasons[first.cutOff.reason]}
      className={className}
    />
  );
}

interface CountdownProps {
  /** The first to end is first. */
  calls: readonly EndingCall[];
  who: string;
  verb: "end" | "ends";
  reason: string;
  className: string;
}

function Countdown({ calls, who, verb, reason, className }: CountdownProps) {
  const { answerTimes } = usePhoneState();
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const times = calls.flatMap(({ callSid, answeredAt, cutOff }) => {
    const answeredMs = answerTimes.get(callSid);
    // Both moments are the server's: the browser's clock may be wrong.
    return answeredMs === undefined || answeredAt === null
      ? []
      : formatDuration(Math.max(0, answeredMs + Date.parse(cutOff.at) - Date.parse(answeredAt) - nowMs));
  });
  return (
    <div
      role="status"
      aria-label={`${who} ${verb === "end" ? "are" : "is"} about to end`}
      className={`flex items-start gap-2 rounded-md border border-brass/40 bg-brass-wash ${className}`}
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <p className="text-pretty">
        {/* Announced once, not every second. */}
        <span aria-hidden="true" className="font-semibold tabular-nums">
          {who === "This call" ? "Ends" : `${who} ${verb}`}{" "}
          {times.length < calls.length ? "soon" : `in ${[...new Set(times)].join(" and ")}`}.{" "}
        </span>
        <span className="sr-only">
          {who} {verb} soon.{" "}
        </span>
        {reason}
      </p>
    </div>
  );
}
