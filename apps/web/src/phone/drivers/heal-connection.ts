import { isProblem, restartConnection } from "../../data/call-requests.ts";
import type { AudioPeer } from "./open-audio-peer.ts";
import { ProblemError } from "../../data/problem-error.ts";
import type { Obstacle } from "./call-driver.ts";
import type { Connection } from "./open-connection.ts";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";

/** How long the checks of one restart may take before the next is tried. */
const checkMs = 4000;

const isConnected = (peer: AudioPeer): boolean => ["connected", "completed"].includes(peer.iceState());

/**
 * Restarts ICE until audio can flow again. "gone": the server no longer knows the connection, so a new one is needed.
 * "abandoned": `isWanted` returned false.
 */
export async function healConnection(
  { id, peer }: Connection,
  isWanted: () => boolean,
  onObstacle: (obstacle: Obstacle) => void,
): Promise<"healed" | "gone" | "abandoned"> {
  for (let attempt = 0; isWanted(); attempt += 1) {
    await waitForNetwork(retryPauseMs(attempt));
    if (!isWanted()) break;
    if (isConnected(peer)) return "healed";
    try {
      const { answer } = await restartConnection(id, await peer.makeOffer({ restartIce: true }));
      if (!isWanted()) break;
      await peer.acceptAnswer(answer);
      for (let waitedMs = 0; waitedMs < checkMs && isWanted(); waitedMs += 100) {
        if (isConnected(peer)) return "healed";
        await waitForNetwork(100);
      }
      onObstacle("no-way");
    } catch (error) {
      if (isProblem(error, "media-connection-gone", "sdp-not-usable")) return "gone";
      // No network, or the server is starting: try again.
      if (error instanceof ProblemError) onObstacle(error);
    }
  }
  return "abandoned";
}
