import { readFile } from "node:fs/promises";

/** Milliseconds since the epoch. */
export interface CalleeTimes {
  invitedAt: number;
  answeredAt: number;
}

/**
 * When SIPp received each call's INVITE and answered it, from its short message log: date, time, seconds, R or S,
 * Call-ID, CSeq, first line.
 */
export async function readTimes(path: string): Promise<CalleeTimes[]> {
  const invited = new Map<string, number>();
  const times: CalleeTimes[] = [];
  for (const line of (await readFile(path, "utf8")).split("\n")) {
    const [, , seconds, way, callId = "", cseq, first] = line.split("\t");
    if (!cseq?.endsWith(" INVITE")) continue;
    const atMs = Number(seconds) * 1000;
    if (way === "R") invited.set(callId, atMs);
    else if (first?.startsWith("SIP/2.0 200")) times.push({ invitedAt: invited.get(callId) ?? NaN, answeredAt: atMs });
  }
  return times;
}
