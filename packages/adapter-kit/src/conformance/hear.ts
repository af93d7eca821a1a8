import type { RtpEndpoint } from "./rtp-endpoint.ts";
import { shareAt } from "./tone.ts";

/** Listens until most of the audio is this tone, and returns its share; on a busy machine that takes a few tries. */
export async function hear(endpoint: RtpEndpoint, hz: number, withinMs = 30_000): Promise<number> {
  const lastMs = performance.now() + withinMs;
  for (;;) {
    const share = shareAt(hz, await endpoint.listen(400));
    if (share > 0.8 || performance.now() > lastMs) return share;
  }
}
