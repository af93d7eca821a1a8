import type { CarrierListener } from "@leadline/adapter-kit/carrier";
import { createTokenBucket } from "@leadline/adapter-kit/token-bucket";

import type { TransportTrace } from "./sip-transport.ts";
import type { Source } from "./via.ts";

/** How many dropped messages with one sender and reason are logged immediately; the rest is logged once it is quiet. */
const loggedAtOnce = 3;
const quietMs = 10_000;
/** How many senders and reasons get lines of their own: anyone can forge a new sender for each packet. The rest share one. */
const separately = { perSecond: 0.2, most: 40 };

type LogDropped = NonNullable<CarrierListener["onDropped"]>;
type Dropped = Omit<Parameters<LogDropped>[0], "earlier">;

interface Logged {
  logged: number;
  unlogged: number;
  last: Dropped;
  timer: NodeJS.Timeout;
}

/** The trace, which also logs what is dropped. */
export function logDropped<Trace extends TransportTrace>(trace: Trace, log: LogDropped): Trace {
  const lately = new Map<string, Logged>();
  /** So that strangers leave the trunk's own peers their lines. */
  const separate = { peers: createTokenBucket(separately), strangers: createTokenBucket(separately) };

  function sumUp(key: string, { unlogged, last, timer }: Logged): void {
    clearTimeout(timer);
    lately.delete(key);
    if (unlogged > 0) log({ ...last, earlier: unlogged - 1 });
  }

  function note(senders: keyof typeof separate, address: string, last: Dropped): void {
    const own = `${address} ${last.why}`;
    const key = lately.has(own) || separate[senders].take() ? own : senders;
    let before = lately.get(key);
    if (!before) {
      const begun: Logged = {
        logged: 0,
        unlogged: 0,
        last,
        timer: setTimeout(() => sumUp(key, begun), quietMs).unref(),
      };
      before = begun;
      lately.set(key, begun);
    }
    before.last = last;
    if (before.logged === loggedAtOnce) return void before.unlogged++;
    before.logged++;
    log({ ...last, earlier: 0 });
  }

  function noteMessage(text: string, source: Source, why: string): void {
    // Of a flood's long messages only the beginning is read.
    const [firstLine = ""] = text.slice(0, 400).trimStart().split(/\r?\n/, 1);
    const from = `${source.protocol} ${source.address}:${source.port}`;
    note("peers", source.address, { from, why, firstLine: firstLine.slice(0, 200) });
  }

  return {
    ...trace,
    received(text, source) {
      const traced = trace.received(text, source);
      return {
        ignored(why) {
          traced.ignored(why);
          noteMessage(text, source, why);
        },
      };
    },
    dropped(text, source, why) {
      trace.dropped(text, source, why);
      noteMessage(text, source, why);
    },
    strangerIgnored(address) {
      trace.strangerIgnored(address);
      note("strangers", address, { from: address, why: "Its sender is not part of this trunk.", firstLine: "" });
    },
  };
}
