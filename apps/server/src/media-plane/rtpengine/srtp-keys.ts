import { cryptoSuites, drawSdesKeys, readTakenKey, type SdesKey } from "@leadline/adapter-kit/rtp/sdes";
import { z } from "zod";

/** As stored in a session's state. */
export const KeptKey = z.object({ tag: z.int(), suite: z.enum(cryptoSuites), key: z.base64() });
type KeptKey = z.infer<typeof KeptKey>;

/** The keys that a far end is offered to decrypt our packets with; each far end gets new ones. */
export const drawKeptKeys = (): KeptKey[] =>
  drawSdesKeys().map(({ key, ...rest }) => ({ ...rest, key: key.toString("base64") }));

export const toSdesKey = ({ key, ...rest }: KeptKey): SdesKey => ({ ...rest, key: Buffer.from(key, "base64") });

/**
 * The key with which a far end with this description decrypts our packets, under the tag that it chose; null if it
 * doesn't encrypt.
 */
export function keyFor(farDescription: string | null, ours: readonly KeptKey[]): SdesKey | null {
  const theirs = farDescription === null ? null : readTakenKey(farDescription);
  if (!theirs) return null;
  const key = ours.find(({ suite }) => suite === theirs.suite);
  if (!key) throw new Error("The far end seals by a suite that it was not offered.");
  return { ...toSdesKey(key), tag: theirs.tag };
}
