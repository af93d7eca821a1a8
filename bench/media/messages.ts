export type ToLoad =
  | { type: "open"; index: number; echoed?: boolean; unopened?: boolean }
  | { type: "answer"; index: number; answer: string }
  /** Browsers that don't decrypt packets may encrypt what they will send ahead of time, until the start. */
  | { type: "prepare" }
  | { type: "start" }
  | { type: "judge" };

export interface LoadResult {
  type: "result";
  received: number;
  /** Towards the browsers, by RTP sequence numbers. */
  lost: number;
  /** Of those received, by more than 200 ms. */
  late: number;
  /** Towards the callees, by the numbers in the echoed audio, and out of how many. */
  lostThere: number;
  echoed: number;
  /** From a browser to an echoing callee and back. */
  echoP99Ms: number;
  /** The 99th percentile of the calls' jitter at their end, RFC 3550, section 6.4.1. */
  jitterP99Ms: number;
  /** The deviation of each packet's interval from 20 ms: the 99th percentile over all packets. */
  arrivalP99Ms: number;
  /** Calls in whose packets no speech was heard; if packets aren't decrypted, calls without packets. */
  silentCalls: number;
  /** This process's own event-loop delay and processor time. */
  eventLoopP99Ms: number;
  cpuShare: number;
}

export type FromLoad = { type: "offer"; index: number; offer: string } | LoadResult;
