import { askOptions } from "../keep-alive.ts";
import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";

/**
 * How long a silent target is given before the next one is tried; less if it's known to be silent. The last one has RFC
 * 3261's 32 s, unless it's known to answer OPTIONS and no longer does, or nothing has been received from it lately.
 */
const patienceMs = { usually: 6_000, whereSilent: 4_000, beforeAsking: 3_000, lastWhereSilent: 16_000 };

interface FirstWordOptions {
  /** No other target is left. */
  isLast: boolean;
  onSilent: () => void;
}

/** Waits for a target's first response to an INVITE. Returns a function that stops waiting. */
export function awaitFirstWord(trunk: Trunk, target: SipTarget, { isLast, onSilent }: FirstWordOptions): () => void {
  const { targets, settings } = trunk;
  const beganMs = performance.now();
  const wasSilent = targets.isSilent(target);
  let stopped = false;
  let timer: NodeJS.Timeout;
  if (!isLast) wait(wasSilent ? patienceMs.whereSilent : patienceMs.usually, giveUp);
  else if (wasSilent) wait(patienceMs.lastWhereSilent, giveUp);
  else wait(patienceMs.beforeAsking, waitOrAsk);

  function wait(ms: number, then: () => void): void {
    timer = setTimeout(then, ms);
  }

  function waitOrAsk(): void {
    if (targets.answersOptions(target)) void askWhetherThere();
    else if (settings.keepAlive === "options" && targets.heardAtMs(target) === null)
      wait(patienceMs.lastWhereSilent - patienceMs.beforeAsking, giveUp);
  }

  async function askWhetherThere(): Promise<void> {
    if ((await askOptions(trunk, target)) === null) giveUp();
  }

  function giveUp(): void {
    if (stopped) return;
    // Something else has been received from it since: it is alive, and may take its time.
    if (isLast && (targets.heardAtMs(target) ?? 0) > beganMs) return;
    targets.note(target, "silent");
    onSilent();
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
