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

/** How a node puts two parties across from each other; each answers with the node's description. */
export const pairsOf = (ask: Ask) => ({
  /** As plain RTP, to whoever is across. */
  offer: (pair: Pair, given: NgRequest): Promise<string> =>
    describe(ask, "offer", {
      ...pair,
      ...given,
      "transport-protocol": "RTP/AVP",
      ICE: "remove",
      "rtcp-mux": ["demux"],
      // The browser names no address of its own yet (trickle ICE, RFC 8840).
      replace: ["zero-address"],
      flags: ["trust-address"],
    }),
  answer: (pair: Pair, sdp: string): Promise<string> =>
    describe(ask, "answer", { ...pair, sdp, flags: ["trust-address"] }),
  /** To a browser, which is the one that was offered. */
  answerBrowser: (pair: Pair, sdp: string, options: { takesKeys: boolean }): Promise<string> =>
    describe(ask, "answer", {
      ...pair,
      sdp,
      "transport-protocol": "UDP/TLS/RTP/SAVPF",
      ICE: "force",
      // Passive, most handshakes with browsers fail (10.5).
      DTLS: "active",
      "rtcp-mux": ["accept"],
      // Costs the node a look into each packet: only once keys are pressed.
      flags: ["trust-address", ...(options.takesKeys ? ["inject-DTMF"] : [])],
    }),
});
