import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import { LegGone } from "../../../media-plane/media-plane.ts";
import type { LiveCall } from "../live-calls.ts";

/** A command that the sound's server leaves unanswered has changed nothing. */
export const soundUnchanged =
  (live: LiveCall) =>
  (error: unknown): never => {
    if (!(error instanceof LegGone)) throw error;
    if (!isLive(live.status)) throw new Problem("call-ended", "This call has ended.");
    throw new Problem(
      "media-unavailable",
      "The server that carries this call’s sound did not answer, so nothing has changed. Try again; if it stays away, the call ends.",
    );
  };
