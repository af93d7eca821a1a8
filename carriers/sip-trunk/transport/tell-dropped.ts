import type { CarrierListener } from "@leadline/adapter-kit/carrier";

import type { TransportTrace } from "./sip-transport.ts";

/** A sender of much that is dropped gets one line in so long, with the number of those that it stands for. */
const quietMs = 10_000;
const mostSenders = 200;

/** The trace, and beside it a line for the log of what is dropped: the first at once, like ones that follow by their number. */
export function tellingDropped<Trace extends TransportTrace>(
  trace: Trace,
  tell: NonNullable<CarrierListener["onDropped"]>,
): Trace {
  const lately = new Map<string, { untilMs: number; unsaid: number }>();

  function note(address: string, from: string, why: string, text: string): void {
    const key = `${address} ${why}`;
    const before = lately.get(key);
    if (before && before.untilMs > performance.now()) return void before.unsaid++;
    if (lately.size >= mostSenders) lately.clear();
    lately.set(key, { untilMs: performance.now() + quietMs, unsaid: 0 });
    const [firstLine = ""] = text.trimStart().split(/\r?\n/, 1);
    tell({ from, why, firstLine: firstLine.slice(0, 200), earlier: before?.unsaid ?? 0 });
  }

  return {
    ...trace,
    received(text, source) {
      const traced = trace.received(text, source);
      return {
        ignored(why) {
          traced.ignored(why);
          note(source.address, `${source.protocol} ${source.address}:${source.port}`, why, text);
        },
      };
    },
    strangerIgnored(address) {
      trace.strangerIgnored(address);
      note(address, address, "Its sender is not part of this trunk.", "");
    },
  };
}
