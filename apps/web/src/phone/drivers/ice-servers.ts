import { readMediaConfiguration } from "../../data/call-requests.ts";

interface Known {
  asked: Promise<RTCIceServer[]>;
  /** Half-expired credentials are renewed: a connection needs them for as long as it lasts. */
  freshUntilMs: number;
}

const neverChangesMs = 60 * 60_000;
let known: Known | null = null;

/** TURN servers for the path to the server, if it names any. If it can't be asked, calls are tried without. */
export function iceServers(): Promise<RTCIceServer[]> {
  if (known && Date.now() < known.freshUntilMs) return known.asked;
  const asked = ask().catch(() => {
    known = null;
    return [];
  });
  known = { asked, freshUntilMs: Date.now() + neverChangesMs };
  return asked;
}

async function ask(): Promise<RTCIceServer[]> {
  const { iceServers: servers, expiresAt } = await readMediaConfiguration();
  if (known && expiresAt !== null) known.freshUntilMs = (Date.now() + Date.parse(expiresAt)) / 2;
  return servers;
}
