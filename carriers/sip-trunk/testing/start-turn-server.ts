import { readFile } from "node:fs/promises";

import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, takesConnections, until } from "./start-program.ts";

const firstRelayPort = 61_000;
const lastRelayPort = 61_999;

export interface TurnServer extends Running {
  url: string;
}

/** The addresses that the documented command denies. */
async function documentedRefusals(): Promise<string[]> {
  const docs = await readFile(new URL("../../../docs/DEPLOYMENT.md", import.meta.url), "utf8");
  const [command = ""] = /^turnserver (?:.*\\\n)*.*/m.exec(docs) ?? [];
  return command.match(/--(?:no-|denied-peer-ip=)\S+/g) ?? [];
}

/** Debian's coturn on loopback, for holders of the shared secret; it denies what docs/DEPLOYMENT.md says. */
export async function startTurnServer(
  peers: Peers,
  { folder, secret }: { folder: string; secret: string },
): Promise<TurnServer> {
  const port = await freePort();
  const args = [
    "-n",
    "--listening-ip=127.0.0.1",
    "--relay-ip=127.0.0.1",
    `--listening-port=${port}`,
    `--min-port=${firstRelayPort}`,
    `--max-port=${lastRelayPort}`,
    "--realm=leadline.test",
    "--use-auth-secret",
    `--static-auth-secret=${secret}`,
    ...(await documentedRefusals()),
    // Both ends of the test are on this machine.
    "--allow-loopback-peers",
    "--allowed-peer-ip=127.0.0.1",
    "--no-tls",
    "--no-dtls",
    "--log-file=stdout",
    "--simple-log",
    `--pidfile=${folder}/turn.pid`,
    `--userdb=${folder}/turn.db`,
  ];
  const running = startProgram(peers.programs.turnserver, args, { env: peers.env, cwd: folder });
  await until("coturn listens", async () => {
    if (running.process.exitCode !== null) throw new Error(`coturn ended: ${running.output()}`);
    return takesConnections(port);
  });
  return { ...running, url: `turn:127.0.0.1:${port}` };
}
