import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, until } from "./start-program.ts";
import { toneSeconds, wave } from "./wave.ts";

export interface Linphonec extends Running {
  port: number;
  /** A WAV file of what it hears in its next call, complete once that has ended. */
  recordNext(): string;
  /** One of linphonec's own commands: call, answer, terminate, pause … */
  command(line: string): void;
}

/** Linphone on the console: answers automatically, and plays this tone from the start of a call. */
export async function startLinphonec(
  peers: Peers,
  { folder, user, toneHz }: { folder: string; user: string; toneHz: number },
): Promise<Linphonec> {
  const port = await freePort();
  const home = join(folder, `linphonec-${port}`);
  await mkdir(join(home, ".local/share/linphone"), { recursive: true });
  const says = join(home, "says.wav");
  await writeFile(says, wave(toneHz, toneSeconds));
  const rc = join(home, "linphonerc");
  const config = [
    "[sip]",
    `sip_port=${port}`,
    "sip_tcp_port=0",
    "sip_tls_port=0",
    `contact=<sip:${user}@127.0.0.1>`,
    // Otherwise its offers name the address of another interface, but its audio comes from here.
    "[rtp]",
    "bind_address=127.0.0.1",
    `audio_rtp_port=${await freePort()}`,
    "[sound]",
    "echocancellation=0",
  ];
  await writeFile(rc, `${config.join("\n")}\n`);
  const env = { ...peers.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: join(home, ".local/share") };
  const running = startProgram(peers.programs.linphonec, ["-a", "-c", rc], {
    env,
    cwd: peers.linphonecRunsIn,
    takesInput: true,
  });
  const command = (line: string): void => void running.process.stdin?.write(`${line}\n`);
  await until("linphonec takes commands", () => {
    if (running.process.exitCode !== null) throw new Error(`linphonec ended: ${running.output()}`);
    return running.output().includes("linphonec>");
  });
  for (const line of ["soundcard use files", `play ${says}`]) command(line);
  let recordings = 0;
  return {
    ...running,
    port,
    command,
    recordNext() {
      const heard = join(home, `heard-${++recordings}.wav`);
      command(`record ${heard}`);
      return heard;
    },
  };
}
