import { useEffect, useState } from "react";
import { formatDuration } from "../../components/format-time.ts";

/** Counts from the answer, on the monotonic clock. */
export function CallTimer({ answeredMs, className }: { answeredMs: number; className?: string }) {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const text = formatDuration(nowMs - answeredMs);
  return (
    <span role="timer" aria-label="Call duration" className={className}>
      {text}
    </span>
  );
}
