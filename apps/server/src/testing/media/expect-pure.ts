import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { expect } from "vitest";

/** For tests. A late packet on a busy machine only spoils one half-second, not all of them. */
export async function expectPure(hz: number, ear: { listen(forMs: number): Promise<Int16Array> }): Promise<void> {
  const shares: number[] = [];
  while (shares.length < 8 && !shares.some((share) => share > 0.95)) shares.push(shareAt(hz, await ear.listen(500)));
  expect(Math.max(...shares)).toBeGreaterThan(0.95);
}
