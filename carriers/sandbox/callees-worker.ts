import { parentPort } from "node:worker_threads";

import { raiseThreadPriority } from "@leadline/adapter-kit/rtp/raise-thread-priority";
import { startTicker } from "@leadline/adapter-kit/rtp/ticker";

import { type CalleeLeg, startCalleeLeg } from "./callee-leg.ts";
import { calleeAt } from "./callees.ts";
import type { FromCallees, ToCallees } from "./messages.ts";
import { loadSpeech } from "./speech.ts";

/** All callees live in one thread of their own: one clock, and no work for the thread that serves people. */
raiseThreadPriority();
const speech = loadSpeech();
const legs = new Map<number, CalleeLeg>();

startTicker(() => {
  for (const leg of legs.values()) leg.tick();
});

parentPort?.on("message", (message: ToCallees) => {
  const { legId } = message;
  if (message.type === "hang-up") {
    legs.get(legId)?.hangUp();
    legs.delete(legId);
    return;
  }
  const leg = startCalleeLeg({
    callee: calleeAt(message.to),
    offer: message.offer,
    speech,
    onEvent(event) {
      if (event.type === "ended") legs.delete(legId);
      parentPort?.postMessage({ legId, event } satisfies FromCallees);
    },
  });
  legs.set(legId, leg);
});
