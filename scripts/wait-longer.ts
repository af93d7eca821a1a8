import { vi } from "vitest";

/** A machine four times slower, with other work to do, takes as long; what is waited for comes long before on most. */
const patienceMs = 30_000;
const { waitFor } = vi;

/** Vitest knows no setting for it, and gives up after a second. */
const waitLonger: typeof waitFor = (look, options = {}) =>
  waitFor(look, typeof options === "number" ? options : { timeout: patienceMs, ...options });

if (waitFor.name !== waitLonger.name) vi.waitFor = waitLonger;
