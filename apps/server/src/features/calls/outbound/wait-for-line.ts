import { setTimeout as sleep } from "node:timers/promises";
import { isLive } from "@leadline/contract/call-state";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { createDepartures } from "./create-departures.ts";
import { takeLine } from "./trunk-lines.table.ts";

/** A shorter wait is over before anyone could read why. */
const shownFromMs = 300;
const lookAgainMs = 500;
/** Nobody listens to silence for longer. */
const patienceMs = 60_000;

const leave = createDepartures();

type Connection = NonNullable<CarrierInUse["connection"]>;
/** Null: all lines are in use. */
type Line = { waitMs: number } | null;

/**
 * Takes one of the carrier's lines, which are limited in new calls per second and in number. The call waits at least
 * `leastMs`.
 */
export async function askForLine(
  deps: CallDeps,
  live: LiveCall,
  { connection, leastMs }: { connection: Connection | null; leastMs: number },
): Promise<Line> {
  if (connection === null || (connection.callsPerSecond === null && connection.channels === null))
    return { waitMs: leastMs };
  try {
    const line = await take(deps, live, connection);
    return line && { waitMs: Math.max(line.waitMs, leastMs) };
  } catch (error) {
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    throw error;
  }
}

const take = (deps: CallDeps, { organisationId, callSid }: LiveCall, { id, callsPerSecond, channels }: Connection) =>
  deps.database.withTransaction({ organisationId }, (tx) =>
    takeLine(tx, { organisationId, carrierId: id, callSid, limits: { callsPerSecond, channels } }),
  );

/** Shows the person why the call waits, then resolves to a promise of whether it may be placed. */
export async function waitForLine(
  deps: CallDeps,
  live: LiveCall,
  { connection, line }: { connection: Connection; line: Line },
): Promise<{ mayLeave: Promise<boolean> }> {
  const { label, callsPerSecond } = connection;
  const { callSid } = live;
  const show = (waitsFor: string | null) => live.inOrder(() => changeLiveCall(deps, live, { waitsFor }));
  const isShown = line === null || line.waitMs >= shownFromMs;
  if (isShown) await show(label);
  const mayLeave = wait(line).catch(async (error: unknown) => {
    deps.log.error({ err: error, callSid }, "a call could not be queued");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    return false;
  });
  return { mayLeave };

  async function wait(first: Line): Promise<boolean> {
    const untilMs = performance.now() + patienceMs;
    let taken = first;
    while (taken === null && isLive(live.status) && performance.now() < untilMs) {
      await sleep(lookAgainMs, undefined, { ref: false });
      if (isLive(live.status)) taken = await take(deps, live, connection);
    }
    if (taken === null) {
      live.refusal = `All lines at ${label} are in use. Try again in a moment.`;
      await endCall(deps, live, { reason: "carrier-refused", sip: null, q850: null });
      return false;
    }
    await sleep(taken.waitMs, undefined, { ref: false });
    if (callsPerSecond !== null && isLive(live.status)) await leave(connection.id, 1_000 / callsPerSecond);
    if (isShown && isLive(live.status)) await show(null);
    return isLive(live.status);
  }
}
