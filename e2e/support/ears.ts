import type { BrowserContext, Page } from "playwright-core";

declare global {
  interface Window {
    /** Every connection that the page has opened, newest last. */
    peers: RTCPeerConnection[];
  }
}

export const recordingRate = 8_000;

/** Gives a test access to the page's connections. Call it before the first page is opened. */
export async function installEars(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.peers = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        window.peers.push(this);
      }
    };
  });
}

/** Samples of the far end's audio at the speaker, -1 to 1 at 8 kHz, over the next `ms`. */
export async function record(page: Page, ms: number): Promise<Float32Array> {
  const samples = await page.evaluate(
    async ({ length, rate }) => {
      const peer = window.peers.findLast((candidate) => candidate.connectionState === "connected");
      const track = peer?.getReceivers()[0]?.track;
      if (!track) throw new Error("the page has no connected audio");
      const context = new AudioContext({ sampleRate: rate });
      await context.resume();
      const tap = context.createScriptProcessor(1024, 1, 1);
      const heard: number[] = [];
      const enough = new Promise<void>((resolve) => {
        tap.onaudioprocess = ({ inputBuffer }) => {
          heard.push(...inputBuffer.getChannelData(0));
          if (heard.length >= length) resolve();
        };
      });
      context.createMediaStreamSource(new MediaStream([track])).connect(tap);
      tap.connect(context.destination);
      await enough;
      await context.close();
      return heard.slice(0, length);
    },
    { length: (ms * recordingRate) / 1000, rate: recordingRate },
  );
  return Float32Array.from(samples);
}

export const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** How strong a frequency is in the audio (Goertzel), as the amplitude of an equivalent sine. */
export function strengthAt(samples: Float32Array, hz: number): number {
  let [re, im] = [0, 0];
  samples.forEach((sample, i) => {
    const angle = (2 * Math.PI * hz * i) / recordingRate;
    re += sample * Math.cos(angle);
    im -= sample * Math.sin(angle);
  });
  return (2 * Math.hypot(re, im)) / samples.length;
}

/** The strongest frequency of telephone audio, to within 5 Hz. */
export function pitchOf(samples: Float32Array): number {
  let best = { hz: 0, strength: 0 };
  for (let hz = 100; hz <= 3_500; hz += 5) {
    const strength = strengthAt(samples, hz);
    if (strength > best.strength) best = { hz, strength };
  }
  return best.hz;
}

/** The element that plays the far end: whether it plays, and its position. */
export const player = (page: Page) =>
  page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>("audio[data-purpose=call-audio]");
    return { paused: audio?.paused ?? true, seconds: audio?.currentTime ?? 0 };
  });

/** Of the inbound audio, as counted by WebRTC's own statistics. */
export async function inboundEnergy(page: Page): Promise<{ energy: number; packets: number }> {
  return page.evaluate(async () => {
    let [energy, packets] = [0, 0];
    for (const peer of window.peers) {
      const report = await peer.getStats();
      report.forEach((entry: { type: string; totalAudioEnergy?: number; packetsReceived?: number }) => {
        if (entry.type !== "inbound-rtp") return;
        energy += entry.totalAudioEnergy ?? 0;
        packets += entry.packetsReceived ?? 0;
      });
    }
    return { energy, packets };
  });
}
