import type { Peers } from "./peers-in.ts";
import { freePort, type Running, startProgram, takesConnections, until } from "./start-program.ts";

const firstRelayPort = 61_000;
const lastRelayPort = 61_999;

export interface TurnServer extends Running {
  url: string;
}

/** Debian's coturn on loopback, for whoever shares the secret. */
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
    // Both ends of the test are on this machine.
    "--allow-loopback-peers",
    "--no-cli",
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
