import { type Browser, chromium } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

const switches = [
  "--no-zygote",
  // Without it, a machine whose only network is loopback offers no candidate.
  "--allow-loopback-in-peer-connection",
  "--use-fake-device-for-media-stream",
  // Timers and sound of a page behind another tab go on at full speed, as they do for a page that plays sound.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
];

/** Chromium with a fake microphone: its beeps, or the given WAV file round and round. */
export async function openBrowser(options: { microphone?: string } = {}): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    chromiumSandbox: false,
    args: [...switches, ...(options.microphone ? [`--use-file-for-fake-audio-capture=${options.microphone}`] : [])],
  });
}
