import { createSocket } from "node:dgram";
import { once } from "node:events";

import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, until } from "./start-program.ts";

const firstMediaPort = 32_000;
const lastMediaPort = 60_000;

export interface Rtpengine extends Running {
  /** Where it takes its orders (NG, by UDP). */
  port: number;
}

/** Debian's rtpengine on loopback, without its kernel module, as an ordinary user may run it. A call takes two media ports for either side. */
export async function startRtpengine(
  peers: Peers,
  { folder, port, mediaPorts = 1_000 }: { folder: string; port?: number; mediaPorts?: number },
): Promise<Rtpengine> {
  const ngPort = port ?? (await freePort());
  // Ranges of the rtpengines of one run do not meet: each has its own by its own port.
  const ranges = (lastMediaPort - firstMediaPort) / mediaPorts;
  const first = firstMediaPort + (((ngPort / 4) % ranges) | 0) * mediaPorts;
  const args = [
    "--table=-1",
    "--interface=127.0.0.1",
    `--listen-ng=127.0.0.1:${ngPort}`,
    `--port-min=${first}`,
    `--port-max=${first + mediaPorts - 1}`,
    "--num-threads=2",
    "--foreground",
    "--log-stderr",
    "--log-level=5",
  ];
  const running = startProgram(peers.programs.rtpengine, args, { env: peers.env, cwd: folder });
  await until("an rtpengine that answers", () => answersPing(ngPort));
  return { ...running, port: ngPort };
}

async function answersPing(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  socket.on("error", () => {});
  try {
    socket.connect(port, "127.0.0.1");
    await once(socket, "connect");
    const pong = once(socket, "message", { signal: AbortSignal.timeout(200) });
    socket.send("0 d7:command4:pinge");
    await pong;
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
