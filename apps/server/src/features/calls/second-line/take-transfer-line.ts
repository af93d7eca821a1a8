import { setTimeout as sleep } from "node:timers/promises";
import { isLive } from "@leadline/contract/call-state";
import { departOn, type Departure, type Line, takeLineFor } from "../../carriers/lines/departures.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { findConnectionOfCall } from "../running-calls.table.ts";

/** A transfer rings no longer than that. */
const mostSeconds = 300;
const lookAgainMs = 500;
/** The far end is waiting on hold meanwhile. */
const patienceMs = 8_000;
/** A shorter wait is over before anyone could read why. */
const shownFromMs = 300;

interface TransferLine {
  /** Null: the call is over. */
  departure: Departure | null;
  free: () => Promise<void>;
}

/** A line for the target of a transfer, whom the carrier calls next to the call's far end. Shows why that takes a while. */
export async function takeTransferLine(deps: CallDeps, live: LiveCall): Promise<TransferLine | "all-in-use"> {
  const { organisationId, callSid } = live;
  const connection = await deps.database.withTransaction({ organisationId }, (tx) => findConnectionOfCall(tx, callSid));
  const find = async () => connection && (await deps.carriers.ownById(organisationId, connection.id))?.connection;
  async function take(mostWaitMs: number): Promise<Line | null> {
    // A carrier that was removed meanwhile has no known limits.
    const carrier = connection && { callsPerSecond: null, channels: null, ...(await find()), ...connection };
    return takeLineFor(deps.database, { organisationId, carrier, user: { seconds: mostSeconds }, mostWaitMs });
  }
  const isWanted = (): boolean => isLive(live.status);
  const show = (waitsFor: string | null) => live.inOrder(() => changeLiveCall(deps, live, { waitsFor }));
  let line = await take(patienceMs);
  const isShown = line === null || line.waitMs >= shownFromMs;
  if (isShown) await show((await find())?.label ?? null);
  try {
    const untilMs = performance.now() + patienceMs;
    while (line === null && isWanted() && performance.now() < untilMs) {
      await sleep(lookAgainMs, undefined, { ref: false });
      line = await take(untilMs - performance.now());
    }
    if (line === null) return "all-in-use";
    const { free } = line;
    const freeOrLog = () =>
      free().catch((error: unknown) => deps.log.warn({ err: error, callSid }, "a transfer's line is freed later"));
    return { departure: await departOn(line, isWanted), free: freeOrLog };
  } finally {
    if (isShown && isWanted()) await show(null);
  }
}
