import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, until } from "./start-program.ts";

const firstMediaPort = 32_000;
const lastMediaPort = 60_000;

export interface Rtpengine extends Running {
  /** Its control port (NG, over UDP). */
  port: number;
}

/**
 * Debian's rtpengine on loopback, without its kernel module, so that an ordinary user can run it. A call uses two media
 * ports on either side.
 */
export async function startRtpengine(
  peers: Peers,
  { folder, port, mediaPorts = 1_000 }: { folder: string; port?: number; mediaPorts?: number },
): Promise<Rtpengine> {
  const ngPort = port ?? (await freePort());
  const { first, free } = await claimMediaPorts((ngPort / 4) | 0, mediaPorts);
  const args = [
    // An installed rtpengine's configuration would make it listen on ports that a second one couldn't open.
    "--config-file=none",
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
  running.process.once("exit", free);
  await until("an rtpengine that answers", () => answersPing(ngPort));
  return { ...running, port: ngPort };
}

/**
 * Reserves a range of media ports against other rtpengines: two of them can both open a port, and one then receives
 * nothing. Held by the TCP port with the range's first number, until `free`.
 */
async function claimMediaPorts(wanted: number, mediaPorts: number): Promise<{ first: number; free: () => void }> {
  const ranges = Math.floor((lastMediaPort - firstMediaPort) / mediaPorts);
  for (let tried = 0; tried < ranges; tried++) {
    const first = firstMediaPort + ((wanted + tried) % ranges) * mediaPorts;
    const claim = createServer().unref().listen(first, "127.0.0.1");
    try {
      await once(claim, "listening");
      return { first, free: () => void claim.close() };
    } catch {
      // The range is taken.
    }
  }
  throw new Error("Every range of media ports is taken.");
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
