const lookEveryMs = 500;

/** Statistics of received audio (W3C webrtc-stats); lib.dom types the report's values as any. */
interface StatsEntry {
  type?: string;
  id?: string;
  codecId?: string;
  mimeType?: string;
}

/** The codec of the latest received audio, such as `audio/opus`; null while there is none. */
export function codecHeard(report: { forEach(visit: (entry: StatsEntry) => void): void }): string | null {
  const types = new Map<string, string>();
  let heard: string | undefined;
  report.forEach((entry) => {
    if (entry.type === "codec" && entry.id !== undefined && entry.mimeType !== undefined)
      types.set(entry.id, entry.mimeType);
    if (entry.type === "inbound-rtp") heard = entry.codecId;
  });
  return types.get(heard ?? "")?.toLowerCase() ?? null;
}

/**
 * Sends in the codec that is received: this connection is negotiated before the call's far end is known, and is reused
 * for far ends with different codecs. The server transcodes everything else, so a browser that can't choose can stay
 * with its first codec. Returns an unsubscribe function.
 */
export function matchReceivedCodec({ sender, receiver }: RTCRtpTransceiver): () => void {
  let spoken: string | null = null;

  async function look(): Promise<void> {
    // Nothing has arrived for ten seconds: the connection waits for a call.
    if (receiver.getSynchronizationSources().length === 0) return;
    const heard = codecHeard(await receiver.getStats());
    if (heard === null || heard === spoken) return;
    const parameters = sender.getParameters();
    const codec = parameters.codecs.find(({ mimeType }) => mimeType.toLowerCase() === heard);
    if (!codec) return;
    spoken = heard;
    // Newer than lib.dom (W3C webrtc, RTCRtpEncodingParameters).
    for (const encoding of parameters.encodings) Object.assign(encoding, { codec });
    await sender.setParameters(parameters);
  }

  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs);
  return () => clearInterval(timer);
}
