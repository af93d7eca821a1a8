import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { expect } from "vitest";

/** For tests. A packet late on a busy machine costs one half second its purity, not every one. */
export async function expectPure(hz: number, ear: { listen(forMs: number): Promise<Int16Array> }): Promise<void> {
  const shares: number[] = [];
  while (shares.length < 8 && !shares.some((share) => share > 0.95)) shares.push(shareAt(hz, await ear.listen(500)));
  expect(Math.max(...shares)).toBeGreaterThan(0.95);
}
