import { cryptoSuites, drawSdesKeys, readTakenKey, type SdesKey } from "@leadline/adapter-kit/rtp/sdes";
import { z } from "zod";

/** As it stands in a session's state. */
export const KeptKey = z.object({ tag: z.int(), suite: z.enum(cryptoSuites), key: z.base64() });
type KeptKey = z.infer<typeof KeptKey>;

/** What a far end is offered to open our packets by; each has its own. */
export const drawKeptKeys = (): KeptKey[] =>
  drawSdesKeys().map(({ key, ...rest }) => ({ ...rest, key: key.toString("base64") }));

export const toSdesKey = ({ key, ...rest }: KeptKey): SdesKey => ({ ...rest, key: Buffer.from(key, "base64") });

/** By which a far end that says this opens our packets, named as it has taken it up; null where it does not seal. */
export function keyFor(farDescription: string | null, ours: readonly KeptKey[]): SdesKey | null {
  const theirs = farDescription === null ? null : readTakenKey(farDescription);
  if (!theirs) return null;
  const key = ours.find(({ suite }) => suite === theirs.suite);
  if (!key) throw new Error("The far end seals by a suite that it was not offered.");
  return { ...toSdesKey(key), tag: theirs.tag };
}
