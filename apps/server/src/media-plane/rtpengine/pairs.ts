import { type SdesKey, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import type { NgAnswer, NgRequest } from "./ng-client.ts";

/** Two parties of a session, by their tags: whoever is described to the other, and that one. */
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

/** Whether a node looks for where a party's sound comes from, preferring what it named, or takes it from there alone. */
export type Learning = "heuristic" | "off";

/**
 * A node looks for 3 s where the sound of who says this comes from, and prefers the address and port that they named; after that
 * nobody else is heard. Set here, as its own default gives the call to whoever sends first after 3 s.
 */
const takenFrom = (learning: Learning): string[] => ["trust-address", "strict-source", `endpoint-learning-${learning}`];

/**
 * A node drops from an answer whatever number is not among those of the answer before, so that a far end that changes its codec,
 * or has numbers of its own, would be sent nothing. What of these is in the answer, it keeps.
 */
const keptCodecs = { offer: ["PCMU", "PCMA", "G722", "telephone-event"] };

const asPlain: NgRequest = { "transport-protocol": "RTP/AVP", ICE: "remove", "rtcp-mux": ["demux"] };
/** By SDES alone. */
const asSealed: NgRequest = { ...asPlain, "transport-protocol": "RTP/SAVP", DTLS: "off" };

/** How a node puts two parties across from each other; each answers with the node's description. */
export const pairsOf = (ask: Ask) => ({
  /**
   * Of a browser, as RTP, to whoever is across: sealed by that key, or in the clear. A node offers the key that it is offered, and
   * draws none of its own for that suite; the browser keeps to DTLS.
   */
  offer: (pair: Pair, { sdp, ...given }: NgRequest & { sdp: string }, key: SdesKey | null = null): Promise<string> =>
    describe(ask, "offer", {
      ...pair,
      ...given,
      sdp: key ? withSdesKeys(sdp, [key]) : sdp,
      ...(key ? asSealed : asPlain),
      // The browser names no address of its own yet (trickle ICE, RFC 8840).
      replace: ["zero-address"],
      flags: ["trust-address"],
    }),
  offerOfFarEnd: (pair: Pair, sdp: string, learning: Learning): Promise<string> =>
    describe(ask, "offer", { ...pair, sdp, ...asPlain, flags: takenFrom(learning) }),
  answer: (pair: Pair, sdp: string): Promise<string> =>
    describe(ask, "answer", { ...pair, sdp, flags: takenFrom("heuristic") }),
  /** To a browser, which is the one that was offered. */
  answerBrowser: (pair: Pair, sdp: string, options: { takesKeys: boolean; learning: Learning }): Promise<string> =>
    describe(ask, "answer", {
      ...pair,
      sdp,
      "transport-protocol": "UDP/TLS/RTP/SAVPF",
      ICE: "force",
      // Passive, most handshakes with browsers fail (10.5).
      DTLS: "active",
      "rtcp-mux": ["accept"],
      codec: keptCodecs,
      // Costs the node a look into each packet: only once keys are pressed.
      flags: [...takenFrom(options.learning), ...(options.takesKeys ? ["inject-DTMF"] : [])],
    }),
});
