import type { CarrierLeg, CarrierLegEvent, DialRequest, InboundCall } from "@leadline/adapter-kit/carrier";
import {
  answerRtpDescription,
  type RtpDescription,
  readRtpDescription,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";

type Side = Pick<DialRequest, "offer" | "onEvent">;

const refusals = {
  busy: { reason: "busy", sip: 486, q850: 17 },
  declined: { reason: "rejected", sip: 603, q850: 21 },
  "nobody-there": { reason: "no-answer", sip: 480, q850: 19 },
  "not-ours": { reason: "network-failure", sip: 404, q850: 1 },
  overloaded: { reason: "network-failure", sip: 503, q850: 42 },
} as const;
const hungUp = { reason: "hung-up-there", sip: null, q850: 16 } as const;

/**
 * A call between two media-plane legs, each the other's far end. Its audio stays on the media plane, and no carrier is
 * involved.
 */
export function connectTeammates(
  dialled: Side,
  names: { from: string; to: string },
): { leg: CarrierLeg; call: InboundCall } {
  let taken: Side | null = null;
  let over = false;
  let giveUp = (): void => {};
  const end = (side: Side | null, cause: Extract<CarrierLegEvent, { type: "ended" }>["cause"]): void => {
    if (over) return;
    over = true;
    side?.onEvent({ type: "ended", cause });
  };
  const legOf = (other: () => Side | null): CarrierLeg => ({
    async hangUp() {
      const rings = !over && taken === null;
      end(other(), hungUp);
      if (rings) giveUp();
    },
    async setHold(held) {
      if (!over) other()?.onEvent({ type: held ? "held" : "resumed" });
    },
  });
  const call: InboundCall = {
    from: null,
    fromName: names.from,
    to: names.to,
    ring() {
      if (!over) dialled.onEvent({ type: "ringing" });
    },
    async answer(side) {
      const answers = !over && describeToEachOther(dialled.offer, side.offer);
      if (!answers) throw new Error("The caller has hung up, or the two have no codec in common.");
      taken = side;
      side.onEvent({ type: "answered", answer: answers.toSecond });
      dialled.onEvent({ type: "answered", answer: answers.toFirst });
      return legOf(() => dialled);
    },
    refuse: (why) => end(dialled, refusals[why]),
    onGivenUp(listener) {
      giveUp = listener;
    },
  };
  return { leg: legOf(() => taken), call };
}

/**
 * Turns each side's offer into the answer to the other's, with one codec for both directions. Null if they share none.
 */
function describeToEachOther(first: string, second: string): { toFirst: string; toSecond: string } | null {
  const [one, other] = [readRtpDescription(first), readRtpDescription(second)];
  const codec = one?.codecs.find((each) => each !== "opus" && other?.codecs.includes(each));
  if (!one || !other || codec === undefined) return null;
  const answerTo = (offer: RtpDescription, { host, port }: RtpDescription): string =>
    writeRtpDescription(answerRtpDescription({ ...offer, codecs: [codec] }, { host, port }));
  return { toFirst: answerTo(one, other), toSecond: answerTo(other, one) };
}
