import type { Call } from "@leadline/contract/calls";
import { TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDuration } from "../../components/format-time.ts";
import { usePhoneState } from "../phone-provider.tsx";

const reasons = {
  "spending-limit": "Your organisation has almost reached its daily spending limit.",
  "call-length-limit": "It has almost reached your organisation’s maximum call length.",
} as const satisfies Record<NonNullable<Call["cutOff"]>["reason"], string>;

/** Counts down to the moment at which a limit ends the call. */
export function CutOffWarning({ className = "" }: { className?: string }) {
  const { call } = usePhoneState();
  const cutOff = call?.cutOff ?? null;
  return cutOff === null ? null : <Countdown key={cutOff.at} {...cutOff} className={className} />;
}

function Countdown({ at, reason, className }: NonNullable<Call["cutOff"]> & { className: string }) {
  const [leftMs, setLeftMs] = useState(() => Date.parse(at) - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeftMs(Date.parse(at) - Date.now()), 250);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <div
      role="status"
      aria-label="This call is about to end"
      className={`flex items-start gap-2 rounded-md border border-brass/40 bg-brass-wash px-4 py-3 text-sm ${className}`}
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <p className="text-pretty">
        {/* Read out once, not each second. */}
        <span aria-hidden="true" className="font-semibold tabular-nums">
          Ends in {formatDuration(Math.max(0, leftMs))}.{" "}
        </span>
        <span className="sr-only">This call ends soon. </span>
        {reasons[reason]}
      </p>
    </div>
  );
}
