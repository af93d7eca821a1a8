export type ToLoad =
  | { type: "open"; index: number; echoed?: boolean; unopened?: boolean }
  | { type: "answer"; index: number; answer: string }
  /** Browsers whose packets are not opened may from now on seal ahead what they will say, until the start. */
  | { type: "prepare" }
  | { type: "start" }
  | { type: "judge" };

export interface LoadResult {
  type: "result";
  received: number;
  /** On the way to the browsers, by RTP's sequence numbers. */
  lost: number;
  /** Of those received, by more than 200 ms. */
  late: number;
  /** On the way to the callees, by the numbers in the sound that the echoing ones sent back, and of how many. */
  lostThere: number;
  echoed: number;
  /** From a browser to an echoing callee and back. */
  echoP99Ms: number;
  /** The 99th percentile of the calls' jitter as they end, RFC 3550, section 6.4.1. */
  jitterP99Ms: number;
  /** How far each packet's distance from the one before it is from 20 ms: the 99th percentile over all packets. */
  arrivalP99Ms: number;
  /** Calls in whose packets no speech was heard; of those whose packets are not opened, calls without packets. */
  silentCalls: number;
  /** How late this process itself was, and what it used. */
  eventLoopP99Ms: number;
  cpuShare: number;
}

export type FromLoad = { type: "offer"; index: number; offer: string } | LoadResult;
