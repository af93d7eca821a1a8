export type ToLoad =
  | { type: "open"; index: number }
  | { type: "answer"; index: number; answer: string }
  | { type: "start" }
  | { type: "judge" };

export interface LoadResult {
  type: "result";
  received: number;
  lost: number;
  jitterP99Ms: number;
  silentCalls: number;
}

export type FromLoad = { type: "offer"; index: number; offer: string } | LoadResult;
