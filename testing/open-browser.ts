import { type Browser, chromium } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

const always = [
  // Without it, a machine whose only network is loopback offers no candidate.
  "--allow-loopback-in-peer-connection",
  // A name for this machine other than localhost: over plain http the browser treats its pages as insecure.
  "--host-resolver-rules=MAP leadline.test 127.0.0.1",
];

/**
 * `beeps`: Chromium's own. `file`: a WAV, looped. `denied`: permission is refused. `none`: no microphone is plugged in.
 */
export type FakeMicrophone = "beeps" | "denied" | "none" | { file: string };

interface OpenBrowser {
  microphone?: FakeMicrophone;
  /** Every sound needs its own gesture, which is stricter than any browser. */
  strictAutoplay?: boolean;
}

export async function openBrowser(options: OpenBrowser = {}): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    chromiumSandbox: false,
    args: [
      ...always,
      ...microphoneSwitches(options.microphone ?? "beeps"),
      ...(options.strictAutoplay ? ["--autoplay-policy=user-gesture-required"] : []),
    ],
  });
}

/** A headless Chromium can't ask, so the answer is a switch. */
function microphoneSwitches(microphone: FakeMicrophone): string[] {
  if (microphone === "none") return ["--use-fake-ui-for-media-stream"];
  if (microphone === "denied") return ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream=deny"];
  const fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
  return microphone === "beeps" ? fake : [...fake, `--use-file-for-fake-audio-capture=${microphone.file}`];
}
