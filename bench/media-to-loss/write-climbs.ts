import { writeResults } from "../write-results.ts";
import type { Climb, Step } from "./climb.ts";

type NamedClimb = Climb & { name: string };

/** From here on a core is saturated. */
const isFull = (busy: number): boolean => busy > 0.95;

export function writeClimbs(climbs: readonly NamedClimb[], { loadBefore }: { loadBefore: number }): void {
  const shareOf = ({ name }: NamedClimb, step: Step): number =>
    name.includes("rtpengine") ? step.mediaServersShare : step.mediaShare;
  const columns = climbs.flatMap((climb) => climb.steps.map((step) => ({ climb, step })));
  const row = (name: string, of: (column: (typeof columns)[number]) => string | number) => [
    name,
    ...columns.map((column) => String(of(column))),
  ];
  const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;
  const driven = climbs.map((climb) => `${climb.name}: ${sentenceOf(climb, (step) => shareOf(climb, step))}`);
  writeResults("media-to-loss", {
    what:
      "More and more sandbox calls at once, half to the callee that speaks, half to the one that echoes, until the first step " +
      "with more than 0.1 % of the packets lost or more than 200 ms late, or with a call without sound. What carries the " +
      "sound has a core to itself (the app's media thread, or the rtpengine without its kernel module); the browsers, the " +
      "callees, the API and the database share the other. One pair of calls in five is deciphered and listened to, the " +
      "others are counted by their headers.\n\n" +
      `${driven.join("\n\n")}\n\n` +
      "Driven is what was carried without loss; extrapolated is what a full core would carry at the cost a call had there, " +
      `which nobody drove. Load average before: ${loadBefore.toFixed(1)}.`,
    rows: [
      row("what carries the calls", ({ climb }) => climb.name),
      row("calls", ({ step }) => step.calls),
      row("packets heard", ({ step }) => step.heard.received),
      row("lost on the way to the browser", ({ step }) => percent(step.lost, 2)),
      row("lost on the way to the callee (of those listened to)", ({ step }) => percent(step.lostThere, 2)),
      row("more than 200 ms late", ({ step }) => percent(step.late, 2)),
      row("calls without sound", ({ step }) => step.heard.silentCalls),
      row("jitter (RFC 3550), p99 of the calls, ms", ({ step }) => step.heard.jitterP99Ms.toFixed(1)),
      row("distance of arrivals from 20 ms, p99, ms", ({ step }) => step.heard.arrivalP99Ms.toFixed(1)),
      row("browser to callee and back, p99, ms", ({ step }) => step.heard.echoP99Ms.toFixed(1)),
      row("what carries the sound, of a core a call", ({ climb, step }) =>
        percent(shareOf(climb, step) / step.calls, 2),
      ),
      row("its core, busy", ({ step }) => percent(step.mediaCore)),
      row("the other core, busy", ({ step }) => percent(step.otherCore)),
      row("the browsers' process, of a core", ({ step }) => percent(step.heard.cpuShare)),
      row("the browsers' process: late by, p99, ms", ({ step }) => step.heard.eventLoopP99Ms.toFixed(1)),
      row("callees, of a core", ({ step }) => percent(step.calleesShare)),
    ],
  });
}

const lastWhole = (steps: readonly Step[]): Step | undefined => steps.findLast(({ isWhole }) => isWhole);

function sentenceOf({ steps, notBegun }: Climb, shareAt: (step: Step) => number): string {
  const whole = lastWhole(steps);
  const broken = steps.find(({ isWhole }) => !isWhole);
  const driven = whole ? `driven ${whole.calls} calls without loss` : "no step without loss";
  const extrapolated = whole ? ` Extrapolated: ${Math.floor(whole.calls / shareAt(whole))} calls a core.` : "";
  if (notBegun) return `${driven}; of ${notBegun.calls} not all could be begun (${notBegun.why}).${extrapolated}`;
  if (!broken) return `${driven}, the most that was tried.${extrapolated}`;
  const limit = isFull(broken.mediaCore)
    ? "its core was full"
    : isFull(broken.otherCore)
      ? "the core of the load was full, its own was not: the load ended first"
      : "neither core was full";
  const [own, media, other] = [shareAt(broken), broken.mediaCore, broken.otherCore].map((busy) =>
    Math.round(100 * busy),
  );
  return `${driven}; at ${broken.calls} ${limit}: ${media} % busy, ${own} % with the sound; the other one ${other} %.${extrapolated}`;
}
