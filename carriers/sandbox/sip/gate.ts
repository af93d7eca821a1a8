import { createTokenBucket, type TokenBucket } from "@leadline/adapter-kit/token-bucket";

interface Refusal {
  status: number;
  reason: string;
}

/** Enforces each trunk's limits: new calls a second, and simultaneous calls. */
export function createGate(options: {
  limits: { callsPerSecond: number; channels: number | null };
  tooFast: Refusal;
  tooMany: Refusal;
}) {
  const { callsPerSecond, channels } = options.limits;
  const buckets = new Map<string, TokenBucket>();
  const live = new Map<string, string>();
  return {
    whyRefused(trunkId: string): Refusal | null {
      const atOnce = [...live.values()].filter((each) => each === trunkId).length;
      if (channels !== null && atOnce >= channels) return options.tooMany;
      const bucket = buckets.get(trunkId) ?? createTokenBucket({ perSecond: callsPerSecond, most: callsPerSecond });
      buckets.set(trunkId, bucket);
      return bucket.take() ? null : options.tooFast;
    },
    enter: (callId: string, trunkId: string) => live.set(callId, trunkId),
    leave: (callId: string) => live.delete(callId),
  };
}
