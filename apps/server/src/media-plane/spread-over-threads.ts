import { routeLegs } from "./route-legs.ts";
import type { WeriftMediaPlane } from "./werift-media-plane.ts";

/** Less than a tenth of a thread's capacity: an idle thread costs 50 MB. */
const defaultLegsBeforeNext = 8;

export interface SpreadOptions {
  openThread: () => Promise<WeriftMediaPlane>;
  maxThreads: number;
  /** Another thread is started once each running one has this many. */
  legsBeforeNext?: number;
  log: { warn(details: object, message: string): void };
}

/**
 * Spreads legs over threads, which start as needed. A leg goes to the thread with the fewest legs, or to that of the
 * leg that it shares a room with, or may. Legs on different threads never share a room.
 */
export async function spreadOverThreads(options: SpreadOptions): Promise<WeriftMediaPlane> {
  const { openThread, maxThreads, legsBeforeNext = defaultLegsBeforeNext, log } = options;
  const first = await openThread();
  const threads = [first];
  let starting: Promise<void> | null = null;
  let shutting = false;
  const {
    plane,
    add,
    countLegs,
    find: threadOf,
    open,
  } = routeLegs(first, {
    browserLeg: ({ carrierLegId, colocateWith }, find) => find(carrierLegId) ?? find(colocateWith) ?? choose(),
    carrierLeg: ({ browserLegId, colocateWith }, find) => find(browserLegId) ?? find(colocateWith) ?? choose(),
  });

  function choose(): WeriftMediaPlane {
    const [least = first] = threads.toSorted((one, other) => countLegs(one) - countLegs(other));
    if (countLegs(least) >= legsBeforeNext && threads.length < maxThreads && !shutting) starting ??= startAnother();
    return least;
  }

  /** No caller waits for it: the other threads serve meanwhile. */
  async function startAnother(): Promise<void> {
    try {
      const thread = await openThread();
      threads.push(thread);
      add(thread);
    } catch (error) {
      log.warn({ err: error }, "another media thread could not be started");
    } finally {
      starting = null;
    }
  }

  return {
    ...plane,
    snapshot: first.snapshot,
    restore: first.restore,
    async openRelayLeg(offer, { colocateWith } = {}) {
      const on = threadOf(colocateWith) ?? choose();
      return open(on, () => on.openRelayLeg(offer));
    },
    async shutDown() {
      shutting = true;
      await starting;
      await plane.shutDown();
    },
  };
}
