import { median, percentile, writeResults } from "../write-results.ts";
import type { MeasuredPhone } from "./measure-setups.ts";
import type { Setup } from "./phones.ts";
import type { CalleeTimes } from "./read-times.ts";

interface Circumstances {
  calleeTimes: readonly CalleeTimes[];
  loadBefore: number;
  chromium: string;
}

export function writeSetups(setups: ReadonlyMap<MeasuredPhone, readonly Setup[]>, around: Circumstances): void {
  const tookOf = (name: MeasuredPhone): number[] =>
    (setups.get(name) ?? []).map(({ pressedAt, soundAt }) => soundAt - pressedAt);
  /** The median time between two moments of a call. */
  const between = (all: readonly Setup[], from: keyof CalleeTimes | keyof Setup, to: keyof CalleeTimes | keyof Setup) =>
    median(
      all.map((setup) => {
        const callee = around.calleeTimes.find(
          ({ invitedAt }) => invitedAt > setup.pressedAt && invitedAt < setup.soundAt,
        );
        const times = { ...callee, ...setup };
        return (times[to] ?? Number.NaN) - (times[from] ?? Number.NaN);
      }),
    );
  const rows = [...setups].map(([name, all]) => {
    const took = tookOf(name);
    const ms = [
      median(took),
      Math.min(...took),
      percentile(took, 0.95),
      Math.max(...took),
      between(all, "pressedAt", "invitedAt"),
      between(all, "answeredAt", "soundAt"),
    ].map((each) => String(Math.round(each)));
    const ratios = (["JsSIP", "JsSIP, tuned"] as const).map((than) => (median(took) / median(tookOf(than))).toFixed(2));
    return [name, String(all.length), ...ms, ...ratios];
  });
  writeResults("trunk", {
    what:
      "Press of Call to the arrival of the first remote packet with the callee's sound, ms, stamped off the page's main thread. " +
      "The callee is one SIPp for all, which begins to play a tone at the INVITE and answers 40 ms later, when it plays. " +
      "Leadline: its real page with the dial pad open, and its real server, whose trunk that SIPp is. " +
      "JsSIP: a bare page, SIP over WebSocket to Kamailio, which asks for no password, its sound through rtpengine (without " +
      "its kernel module), the one that Leadline with rtpengine uses, too. JsSIP as its documentation has it opens the " +
      "microphone with the call and waits until all candidates are gathered; tuned, it holds the microphone open between " +
      "calls and sends the INVITE with its first candidate. Nothing held: Leadline without the connection that the open pad " +
      "negotiates ahead. Fresh page: the first call of a page, pressed as soon as it can be. PCMU everywhere; by turns, in one " +
      `Chromium ${around.chromium}. Load average before: ${around.loadBefore.toFixed(1)}.`,
    rows: [
      [
        "",
        "calls",
        "median",
        "least",
        "p95",
        "most",
        "press to INVITE at SIPp, median",
        "SIPp's answer to sound, median",
        "of JsSIP's median",
        "of the tuned one's",
      ],
      ...rows,
    ],
  });
}
