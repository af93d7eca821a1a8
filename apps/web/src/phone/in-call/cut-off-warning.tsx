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
  "call-length-limit": "It has almost reached your organisation’s maximum call length.",
  "member-call-length-limit": "It has almost reached your own maximum call length.",
} as const satisfies Record<NonNullable<Call["cutOff"]>["reason"], string>;

/** Counts down to the moment at which a limit ends a call, for each of up to two calls. */
export function CutOffWarning({ className = "" }: { className?: string }) {
  const { call, other } = usePhoneState();
  const calls = [call, other].filter((one) => one !== null);
  return calls.map((one) =>
    one.cutOff ? (
      <Countdown
        key={`${one.callSid} ${one.cutOff.at}`}
        {...one.cutOff}
        call={one}
        isOneOfTwo={calls.length > 1}
        className={className}
      />
    ) : null,
  );
}

interface CountdownProps extends NonNullable<Call["cutOff"]> {
  call: Call;
  /** Adds the name of the other party. */
  isOneOfTwo: boolean;
  className: string;
}

function Countdown({ at, reason, call, isOneOfTwo, className }: CountdownProps) {
  const nameOf = useWho();
  const name = isOneOfTwo ? `The call with ${nameOf(call)}` : "This call";
  const answeredMs = usePhoneState().answerTimes.get(call.callSid);
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  // Both moments are the server's: the browser's clock may be wrong.
  const leftMs =
    answeredMs === undefined || call.answeredAt === null
      ? null
      : answeredMs + Date.parse(at) - Date.parse(call.answeredAt) - nowMs;
  return (
    <div
      role="status"
      aria-label={`${name} is about to end`}
      className={`flex items-start gap-2 rounded-md border border-brass/40 bg-brass-wash px-4 py-3 text-sm ${className}`}
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <p className="text-pretty">
        {/* Announced once, not every second. */}
        <span aria-hidden="true" className="font-semibold tabular-nums">
          {isOneOfTwo ? `${name} ends` : "Ends"}{" "}
          {leftMs === null ? "soon" : `in ${formatDuration(Math.max(0, leftMs))}`}.{" "}
        </span>
        <span className="sr-only">{name} ends soon. </span>
        {reasons[reason]}
      </p>
    </div>
  );
}
