import type { CallRate } from "@leadline/contract/rates";

/** Each started minute costs this much. */
export const flatRate = (perMinuteMicros: number): CallRate => ({
  perMinuteMicros,
  connectionFeeMicros: 0,
  firstSeconds: 60,
  nextSeconds: 60,
});
