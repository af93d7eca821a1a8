import { setTimeout as sleep } from "node:timers/promises";
import { isLive } from "@leadline/contract/call-state";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { takeLine } from "./trunk-lines.table.ts";

/** A shorter wait is over before anybody has read why. */
const shownFromMs = 300;
const lookAgainMs = 500;
/** Longer than that nobody listens to silence. */
const patienceMs = 60_000;

/**
 * The carrier takes only so many new calls a second, and so many at once: null where the call may leave now, else whether it
 * may leave in the end. Its person is shown why it waits.
 */
export async function waitForLine(
  deps: CallDeps,
  live: LiveCall,
  connection: CarrierInUse["connection"],
): Promise<{ mayLeave: Promise<boolean> } | null> {
  if (connection === null || (connection.callsPerSecond === null && connection.channels === null)) return null;
  const { id: carrierId, label, callsPerSecond, channels } = connection;
  const { organisationId, callSid } = live;
  const limits = { callsPerSecond, channels };
  const take = () =>
    deps.database.withTransaction({ organisationId }, (tx) =>
      takeLine(tx, { organisationId, carrierId, callSid, limits }),
    );
  const line = await take().catch(async (error: unknown) => {
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    throw error;
  });
  if (line?.waitMs === 0) return null;
  const show = (waitsFor: string | null) => live.inOrder(() => changeLiveCall(deps, live, { waitsFor }));
  const isShown = line === null || line.waitMs >= shownFromMs;
  if (isShown) await show(label);
  const mayLeave = wait(line).catch(async (error: unknown) => {
    deps.log.error({ err: error, callSid }, "a call could not wait for a line");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    return false;
  });
  return { mayLeave };

  async function wait(first: typeof line): Promise<boolean> {
    const untilMs = performance.now() + patienceMs;
    let taken = first;
    while (taken === null && isLive(live.status) && performance.now() < untilMs) {
      await sleep(lookAgainMs, undefined, { ref: false });
      if (isLive(live.status)) taken = await take();
    }
    if (taken === null) {
      live.refusal = `All lines at ${label} are in use. Try again in a moment.`;
      await endCall(deps, live, { reason: "carrier-refused", sip: null, q850: null });
      return false;
    }
    await sleep(taken.waitMs, undefined, { ref: false });
    if (isShown && isLive(live.status)) await show(null);
    return isLive(live.status);
  }
}
