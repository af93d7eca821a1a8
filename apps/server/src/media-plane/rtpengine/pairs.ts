import { type SdesKey, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import type { NgAnswer, NgRequest } from "./ng-client.ts";

/** Two parties of a session, by their tags: the one that is described, and the one it is described to. */
export interface Pair {
  from: string;
  to: string;
}

type Ask = (command: string, given: NgRequest) => Promise<NgAnswer>;

async function describe(
  ask: Ask,
  command: "offer" | "answer",
  { from, to, ...given }: Pair & NgRequest,
): Promise<string> {
  return String((await ask(command, { "from-tag": from, "to-tag": to, ...given }))["sdp"]);
}

/**
 * Whether an rtpengine learns where a party's audio comes from, preferring the named address, or only accepts that
 * address.
 */
export type Learning = "heuristic" | "off";

/**
 * For 3 s, an rtpengine learns where this party's audio comes from, preferring the named address and port; after that
 * no other sender is accepted. Set explicitly, because its default gives the call to whichever sender is first after 3
 * s.
 */
const takenFrom = (learning: Learning): string[] => ["trust-address", "strict-source", `endpoint-learning-${learning}`];

/**
 * An rtpengine drops payload types from an answer that were not in the previous one, so a far end that changes its
 * codec or uses its own payload types would be sent nothing. It keeps these if the answer contains them.
 */
const keptCodecs = { offer: ["PCMU", "PCMA", "G722", "telephone-event"] };

const asPlain: NgRequest = { "transport-protocol": "RTP/AVP", ICE: "remove", "rtcp-mux": ["demux"] };
/** SDES only. */
const asSealed: NgRequest = { ...asPlain, "transport-protocol": "RTP/SAVP", DTLS: "off" };

/** Pairs two parties in the rtpengine; each call resolves to the rtpengine's description. */
export const pairsOf = (ask: Ask) => ({
  /**
   * Offers the browser's side to the far side as RTP: encrypted with that key, or plain. An rtpengine passes on the key
   * that it is given, and generates none for that suite; the browser keeps DTLS.
   */
  offer: (pair: Pair, { sdp, ...given }: NgRequest & { sdp: string }, key: SdesKey | null = null): Promise<string> =>
    describe(ask, "offer", {
      ...pair,
      ...given,
      sdp: key ? withSdesKeys(sdp, [key]) : sdp,
      ...(key ? asSealed : asPlain),
      // The browser has no address of its own yet (trickle ICE, RFC 8840).
      replace: ["zero-address"],
      flags: ["trust-address"],
    }),
  offerOfFarEnd: (pair: Pair, sdp: string, learning: Learning): Promise<string> =>
    describe(ask, "offer", { ...pair, sdp, ...asPlain, flags: takenFrom(learning) }),
  answer: (pair: Pair, sdp: string): Promise<string> =>
    describe(ask, "answer", { ...pair, sdp, flags: takenFrom("heuristic") }),
  /** Answers a browser that made an offer. */
  answerBrowser: (pair: Pair, sdp: string, options: { takesKeys: boolean; learning: Learning }): Promise<string> =>
    describe(ask, "answer", {
      ...pair,
      sdp,
      "transport-protocol": "UDP/TLS/RTP/SAVPF",
      ICE: "force",
      // With DTLS passive, most handshakes with browsers fail (10.5).
      DTLS: "active",
      "rtcp-mux": ["accept"],
      codec: keptCodecs,
      // Makes the rtpengine inspect each packet, so only set once digits are sent.
      flags: [...takenFrom(options.learning), ...(options.takesKeys ? ["inject-DTMF"] : [])],
    }),
});
