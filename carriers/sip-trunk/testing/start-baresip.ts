import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, until } from "./start-program.ts";
import { toneSeconds, wave } from "./wave.ts";

export interface BaresipEvent {
  type: string;
  param?: string;
  /** Of a call. */
  direction?: string;
}

export interface Baresip extends Running {
  port: number;
  /** The file that it plays from the start of each call. */
  says: string;
  events: BaresipEvent[];
  /** One of baresip's own commands: dial, hangup, hold, resume, ausrc … */
  command(command: string, params?: string): void;
  /** WAV files of what it heard, the latest last: one per call, and another after each change of an encrypted one. */
  recordings(): Promise<string[]>;
}

export interface BaresipOptions {
  folder: string;
  user: string;
  /** Additional parameters of its account, in baresip's syntax. */
  account?: string;
  registers?: boolean;
  /** Plays this tone from the start of a call; silence by default. */
  toneHz?: number;
  lines?: readonly string[];
}

export async function startBaresip(peers: Peers, options: BaresipOptions): Promise<Baresip> {
  const port = await freePort();
  const control = await freePort();
  const home = join(options.folder, `baresip-${port}`);
  const heard = join(home, "heard");
  await mkdir(heard, { recursive: true });
  const says = join(home, "says.wav");
  await writeFile(says, wave(options.toneHz ?? null, toneSeconds));
  const config = [
    "poll_method epoll",
    `sip_listen 127.0.0.1:${port}`,
    "net_interface 127.0.0.1",
    "call_max_calls 30",
    `audio_source aufile,${says}`,
    "audio_player aubridge,unheard",
    "audio_alert aubridge,unheard",
    "ausrc_srate 8000",
    "auplay_srate 8000",
    `snd_path ${heard}`,
    `ctrl_tcp_listen 127.0.0.1:${control}`,
    `module_path ${peers.baresipModules}`,
    ...["g711", "aufile", "aubridge", "sndfile", "uuid"].map((name) => `module ${name}.so`),
    ...["account", "menu", "ctrl_tcp"].map((name) => `module_app ${name}.so`),
    ...(options.lines ?? []),
  ];
  await writeFile(join(home, "config"), `${config.join("\n")}\n`);
  const registration = `;regint=${options.registers ? 60 : 0}`;
  const address = `<sip:${options.user}@127.0.0.1:${port}>`;
  await writeFile(join(home, "accounts"), `${address}${registration}${options.account ?? ""}\n`);
  await writeFile(join(home, "contacts"), "");
  const running = startProgram(peers.programs.baresip, ["-f", home], { env: peers.env, cwd: home });
  const events: BaresipEvent[] = [];
  let socket: Socket | null = null;
  await until("baresip takes commands", async () => {
    if (running.process.exitCode !== null) throw new Error(`baresip ended: ${running.output()}`);
    socket = await tryConnect(control);
    return socket !== null;
  });
  readEvents(socket, events);
  return {
    ...running,
    port,
    says,
    events,
    command(command, params = "") {
      const text = JSON.stringify({ command, params });
      socket?.write(`${Buffer.byteLength(text)}:${text},`);
    },
    recordings: async () =>
      (await readdir(heard))
        .filter((name) => name.includes("dec"))
        .toSorted()
        .map((name) => join(heard, name)),
    async stop() {
      socket?.destroy();
      await running.stop();
    },
  };
}

async function tryConnect(port: number): Promise<Socket | null> {
  const socket = connect(port, "127.0.0.1");
  return once(socket, "connect").then(
    () => socket,
    () => null,
  );
}

/** Netstrings of JSON. */
function readEvents(socket: Socket | null, events: BaresipEvent[]): void {
  let held = Buffer.alloc(0);
  socket?.on("error", () => {});
  socket?.on("data", (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const colon = held.indexOf(":");
      const length = Number(held.toString("latin1", 0, colon));
      if (colon < 0 || held.length < colon + length + 2) return;
      events.push(JSON.parse(held.toString("utf8", colon + 1, colon + 1 + length)) as BaresipEvent);
      held = held.subarray(colon + length + 2);
    }
  });
}
