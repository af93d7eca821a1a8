import { parentPort } from "node:worker_threads";

import { raiseThreadPriority } from "@leadline/adapter-kit/rtp/raise-thread-priority";
import { startTicker } from "@leadline/adapter-kit/rtp/ticker";

import { type CalleeLeg, startCalleeLeg } from "./callee-leg.ts";
import { startCalleeTransfer } from "./callee-transfer.ts";
import { calleeAt } from "./callees.ts";
import type { FromCallees, ToCallees } from "./messages.ts";
import { loadSpeech } from "./speech.ts";

/** All callees run in a thread of their own: one clock, and no load on the API's thread. */
raiseThreadPriority();
const speech = loadSpeech();
const legs = new Map<number, CalleeLeg>();
const transfers = new Map<number, ReturnType<typeof startCalleeTransfer>>();
const post = (message: FromCallees): void => parentPort?.postMessage(message);

const ticker = startTicker(() => {
  if (legs.size === 0 && transfers.size === 0) return void ticker.stop();
  for (const leg of legs.values()) leg.tick();
  for (const transfer of transfers.values()) transfer.tick();
});

function forget(legId: number): void {
  legs.delete(legId);
  transfers.delete(legId);
}

parentPort?.on("message", (message: ToCallees) => {
  const { legId } = message;
  if (message.type === "hang-up") {
    legs.get(legId)?.hangUp();
    forget(legId);
    return;
  }
  if (message.type === "transfer") {
    if (!legs.has(legId)) return;
    const told = startCalleeTransfer(calleeAt(message.to), (transfer) => post({ legId, transfer }));
    transfers.set(legId, told);
    return;
  }
  if (message.type === "replace-us") {
    const other = legs.get(message.otherLegId);
    if (!legs.has(legId)) return;
    if (other?.isReplaced()) post({ legId, transfer: { type: "taken" } });
    else post({ legId, transfer: { type: "refused", why: { reason: "transfer-refused", sip: 481 } } });
    return;
  }
  const leg = startCalleeLeg({
    callee: calleeAt(message.to),
    offer: message.offer,
    speech,
    onEvent(event) {
      if (event.type === "ended") forget(legId);
      post({ legId, event });
    },
  });
  legs.set(legId, leg);
  ticker.start();
});
