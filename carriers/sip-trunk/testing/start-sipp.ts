import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { encodeSound, sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { toneSamples } from "@leadline/adapter-kit/conformance/tone";

import { startEcho } from "./start-echo.ts";
import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, takesConnections, until } from "./start-program.ts";

export interface SippOptions {
  folder: string;
  /** A file in scenarios/, without its extension, or one that is built into SIPp. */
  scenario: string | { builtIn: "uas" };
  port: number;
  /** For a scenario whose description contains [audio_port], or a built-in one. */
  echoes?: boolean;
  transport?: "udp" | "tcp";
  /** A file in which each message is logged as one line, with its time. */
  messagesIn?: string;
  /** Where it calls; without it, it waits for a call. */
  calls?: { port: number; number: string };
}

export const toneHz = 700;

/** The tone that speak.xml plays, as raw µ-law for SIPp. */
export async function writeTone(folder: string): Promise<void> {
  const samples = toneSamples(toneHz, { from: 0, length: sampleRate * 4 });
  await writeFile(join(folder, "tone.ulaw"), encodeSound(samples, "PCMU"));
}

export async function startSipp(peers: Peers, options: SippOptions): Promise<Running> {
  const { port, calls } = options;
  const mediaPort = await freePort();
  const isBuiltIn = typeof options.scenario !== "string";
  const echo = options.echoes && !isBuiltIn ? await startEcho() : null;
  const args = [
    ...(calls ? [`127.0.0.1:${calls.port}`, "-s", calls.number, "-m", "1"] : []),
    ...(typeof options.scenario === "string"
      ? ["-sf", join(import.meta.dirname, "scenarios", `${options.scenario}.xml`)]
      : ["-sn", options.scenario.builtIn]),
    ..."-i 127.0.0.1 -mi 127.0.0.1 -nostdin -trace_err".split(" "),
    ...`-p ${port} -mp ${mediaPort} -error_file sipp-${port}.log`.split(" "),
    ...(options.transport === "tcp" ? ["-t", "t1"] : []),
    ...(options.echoes && isBuiltIn ? ["-rtp_echo"] : []),
    ...`-key audio_port ${echo?.port ?? mediaPort}`.split(" "),
    ...(options.messagesIn === undefined ? [] : ["-trace_shortmsg", "-shortmessage_file", options.messagesIn]),
  ];
  const running = startProgram(peers.programs.sipp, args, { env: peers.env, cwd: options.folder });
  if (echo) running.process.once("exit", echo.close);
  // Over UDP, a request that comes too early is retransmitted.
  if (options.transport === "tcp") await until("SIPp listens", () => takesConnections(port));
  return running;
}
