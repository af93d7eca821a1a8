interface Refusal {
  status: number;
  reason: string;
}

/** Calls arrive closer together than they left while this machine is busy: a second is this much shorter. */
const jitterMs = 250;

/** Enforces each trunk's limits: new calls in any second, and simultaneous calls. */
export function createGate(options: {
  limits: { callsPerSecond: number; channels: number | null };
  tooFast: Refusal;
  tooMany: Refusal;
}) {
  const { callsPerSecond, channels } = options.limits;
  /** When each trunk's last calls came, oldest first. */
  const arrivals = new Map<string, number[]>();
  const live = new Map<string, string>();
  return {
    whyRefused(trunkId: string, nowMs = performance.now()): Refusal | null {
      const atOnce = [...live.values()].filter((each) => each === trunkId).length;
      if (channels !== null && atOnce >= channels) return options.tooMany;
      const recent = (arrivals.get(trunkId) ?? []).filter((atMs) => nowMs - atMs < 1_000 - jitterMs);
      arrivals.set(trunkId, recent);
      if (recent.length >= callsPerSecond) return options.tooFast;
      recent.push(nowMs);
      return null;
    },
    enter: (callId: string, trunkId: string) => live.set(callId, trunkId),
    leave: (callId: string) => live.delete(callId),
  };
}
