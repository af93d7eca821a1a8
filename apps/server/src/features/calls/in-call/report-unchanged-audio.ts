import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import { LegGone } from "../../../media-plane/media-plane.ts";
import type { LiveCall } from "../live-calls.ts";

/** Reports an audio command that the media server didn't confirm as having changed nothing. */
export const reportUnchangedAudio =
  (live: LiveCall) =>
  (error: unknown): never => {
    if (!(error instanceof LegGone)) throw error;
    if (!isLive(live.status)) throw new Problem("call-ended", "This call has ended.");
    throw new Problem(
      "media-unavailable",
      "The media server for this call isn’t responding, so nothing has changed. Try again. If it doesn’t recover, the call ends.",
    );
  };
