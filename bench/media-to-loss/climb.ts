import { openLoad } from "../media/open-load.ts";
import type { MeasuredSystem } from "../media/systems.ts";
import { busyBetween, readCores } from "./pin.ts";

const measuredSeconds = 8;
/** One pair of calls in this many is decrypted and listened to; the others are counted by their headers. */
const openedEach = 5;
/** Share of packets that may be lost or late. */
const tolerated = 0.001;

export type Step = Awaited<ReturnType<typeof measureStep>>;

export interface Climb {
  steps: Step[];
  /** Why not all of a step's calls could be started, and how many there should have been. */
  notBegun: { calls: number; why: string } | null;
}

/** Adds calls to one system until the first step at which audio is lost, late or missing. */
export async function climb(system: MeasuredSystem, sizes: readonly number[]): Promise<Climb> {
  const load = openLoad(system, { openedEach });
  const steps: Step[] = [];
  try {
    for (const size of sizes) {
      const error = await load.add(size - (steps.at(-1)?.calls ?? 0)).catch((reason: unknown) => reason);
      if (error !== undefined) return { steps, notBegun: { calls: size, why: String(error) } };
      await load.prepare(measuredSeconds);
      const step = await measureStep(load, size);
      steps.push(step);
      console.log(JSON.stringify(step));
      if (!step.isWhole) break;
    }
    return { steps, notBegun: null };
  } finally {
    // Some calls of an overloaded system have ended by themselves.
    await system.stopAll().catch(() => {});
    load.close();
  }
}

async function measureStep(load: ReturnType<typeof openLoad>, calls: number) {
  const coresBefore = readCores();
  const judged = await load.judge(measuredSeconds);
  const [mediaCore = Number.NaN, otherCore = Number.NaN] = busyBetween(coresBefore, readCores());
  const { heard } = judged;
  const lost = heard.lost / (heard.received + heard.lost);
  const lostThere = heard.lostThere / heard.echoed;
  const late = heard.late / heard.received;
  const isWhole = Math.max(lost, lostThere, late) <= tolerated && heard.silentCalls === 0;
  return { calls, ...judged, mediaCore, otherCore, lost, lostThere, late, isWhole };
}
