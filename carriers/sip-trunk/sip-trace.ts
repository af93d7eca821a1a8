import type { CarrierTrace, CarrierTraceMessage } from "@leadline/adapter-kit/carrier";

import type { TransportTrace } from "./transport/sip-transport.ts";
import { peekHeader, peekMethod, splitMessage } from "./transport/sip-text.ts";
import { withoutReplyPath } from "./transport/via.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Keep-alives and registrations never displace calls: each kind has its own ring buffer. */
const maxKept = { OPTIONS: 20, REGISTER: 40, others: 200 };
const maxCharacters = 6_000;
const maxStrangers = 20;

type Ring = keyof typeof maxKept;

/** A trunk's latest messages, without secrets, in memory: about 200 kB per trunk. */
export function createSipTrace(): TransportTrace & { read(): CarrierTrace } {
  const rings: Record<Ring, CarrierTraceMessage[]> = { OPTIONS: [], REGISTER: [], others: [] };
  const strangers = new Map<string, CarrierTrace["strangers"][number]>();
  let lastId = 0;

  function keep(
    direction: CarrierTraceMessage["direction"],
    whole: string,
    { protocol, address, port }: { protocol: string; address: string; port: number },
  ): CarrierTraceMessage {
    const text = withoutSecrets(withoutReplyPath(whole));
    const { head } = splitMessage(text);
    const method = peekMethod(head);
    const ring = rings[method === "OPTIONS" || method === "REGISTER" ? method : "others"];
    const message = {
      id: ++lastId,
      at: new Date().toISOString(),
      direction,
      protocol,
      address,
      port,
      summary: head.slice(0, 200).split(/\r?\n/, 1)[0] ?? "",
      callId: peekHeader(head, "callId"),
      text: text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n[cut off]` : text,
      ignored: null,
    };
    ring.push(message);
    const most = maxKept[method === "OPTIONS" || method === "REGISTER" ? method : "others"];
    if (ring.length > most) ring.shift();
    return message;
  }

  return {
    sent: (text, target) => void keep("sent", text, target),
    received(text, source) {
      const message = keep("received", text, source);
      return { ignored: (why) => void (message.ignored = why) };
    },
    dropped() {},
    strangerIgnored(address) {
      const packets = (strangers.get(address)?.packets ?? 0) + 1;
      // The map keeps the most recently seen one last.
      strangers.delete(address);
      strangers.set(address, { address, packets, lastAt: new Date().toISOString() });
      const [oldest] = strangers.keys();
      if (strangers.size > maxStrangers && oldest !== undefined) strangers.delete(oldest);
    },
    read: () => ({
      messages: Object.values(rings)
        .flat()
        .toSorted((one, other) => other.id - one.id),
      strangers: [...strangers.values()].toReversed(),
    }),
  };
}
