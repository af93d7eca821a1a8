/** The same numbers for the same seed, on every machine: FNV-1a into mulberry32. */
export function createRandom(seed: string): { below(limit: number): number } {
  let state = 0x81_1c_9d_c5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return {
    below(limit) {
      state = (state + 0x6d_2b_79_f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
