import { availableParallelism } from "node:os";

import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { MediaPlane } from "./media-plane.ts";
import { applyInOrder } from "./apply-in-order.ts";
import { createRtpenginePlane } from "./rtpengine/rtpengine-plane.ts";
import { withMixer } from "./rtpengine/with-mixer.ts";
import { type SpreadOptions, spreadOverThreads } from "./spread-over-threads.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";

/** Opens the media plane in this process, with one thread per core, behind the configured rtpengines. */
export async function openMediaPlane(
  { rtpengines, mediaAddress }: Pick<Config, "rtpengines" | "mediaAddress">,
  log: Log,
  threads: Partial<Pick<SpreadOptions, "maxThreads" | "legsBeforeNext">> = {},
): Promise<MediaPlane> {
  const inProcess = await spreadOverThreads({
    openThread: () => createWeriftMediaPlane({ log, publicAddress: mediaAddress }),
    maxThreads: availableParallelism(),
    log,
    ...threads,
  });
  if (rtpengines.length === 0) return applyInOrder(inProcess);
  try {
    return applyInOrder(withMixer(inProcess, await createRtpenginePlane(rtpengines, { log })));
  } catch (error) {
    await inProcess.shutDown();
    throw error;
  }
}
