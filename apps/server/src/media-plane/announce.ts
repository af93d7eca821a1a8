import { randomUUID } from "node:crypto";

import type { MediaPlane } from "./media-plane.ts";

/** Plays raw µ-law audio (8 kHz) to a leg that hears nothing else. Rejects if the leg closes before the end. */
export async function announce(
  plane: Pick<MediaPlane, "apply" | "onPromptEnd">,
  legId: string,
  audio: Uint8Array,
): Promise<void> {
  const prompt = randomUUID();
  const ended = Promise.withResolvers<undefined>();
  const stop = plane.onPromptEnd((end) => {
    if (end.legId !== legId || end.prompt !== prompt) return;
    if (end.isWhole) ended.resolve(undefined);
    else ended.reject(new Error("The leg was closed before it had played all."));
  });
  ended.promise.catch(() => {});
  try {
    await plane.apply({ participants: [{ legId, hears: [{ play: prompt, audio }] }] });
    await ended.promise;
  } finally {
    stop();
  }
}
