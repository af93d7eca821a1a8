import { costOfCall } from "@leadline/contract/cost-of-call";
import { useEffect, useState } from "react";
import { formatExactCost } from "../../components/format-money.ts";
import { usePhoneState } from "../phone-context.ts";

/** What the call has cost so far, by the seconds that count; nothing for a call that costs nothing. */
export function RunningCost({ className = "" }: { className?: string }) {
  const { call, answeredMs } = usePhoneState();
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (!call?.rate || answeredMs === null) return null;
  return (
    <span aria-label="Cost so far" role="group" className={`tabular-nums ${className}`}>
      {formatExactCost(costOfCall(call.rate, Math.max(0, nowMs - answeredMs)))}
    </span>
  );
}
