import type { Received } from "./start-raw-peer.ts";

/** The messages that a raw peer has received, for a test to take one by one. */
export function createInbox() {
  const received: Received[] = [];
  const taken = new Set<Received>();
  const arrivals = new Set<() => void>();

  async function arrival(withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, withinMs);
      function done(): void {
        clearTimeout(timer);
        arrivals.delete(done);
        resolve();
      }
      arrivals.add(done);
    });
  }

  return {
    /** Everything so far, including OPTIONS. */
    received,
    put(message: Received): void {
      received.push(message);
      for (const arrived of arrivals) arrived();
    },
    all: (what: string): Received[] => received.filter((message) => message.what === what),
    /** The next message that hasn't been taken yet: by method or status ("INVITE", "200") or by a predicate. */
    async next(
      wanted: string | ((message: Received) => boolean),
      { withinMs = 30_000 }: { withinMs?: number } = {},
    ): Promise<Received> {
      const fits = typeof wanted === "string" ? (message: Received) => message.what === wanted : wanted;
      const lastMs = performance.now() + withinMs;
      for (;;) {
        const found = received.find((message) => !taken.has(message) && fits(message));
        if (found) {
          taken.add(found);
          return found;
        }
        const leftMs = lastMs - performance.now();
        const came = received.map(({ what }) => what).join(" ");
        if (leftMs <= 0) throw new Error(`no ${String(wanted)} within ${withinMs} ms; received: ${came}`);
        await arrival(leftMs);
      }
    },
  };
}
