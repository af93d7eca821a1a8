import { vi } from "vitest";

/** A machine that is four times slower and busy takes this long; usually the condition is met much sooner. */
const patienceMs = 30_000;
const { waitFor } = vi;

/** Vitest has no setting for it, and gives up after a second. */
const waitLonger: typeof waitFor = (look, options = {}) =>
  waitFor(look, typeof options === "number" ? options : { timeout: patienceMs, ...options });

if (waitFor.name !== waitLonger.name) vi.waitFor = waitLonger;
