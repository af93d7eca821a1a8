import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { answersOptions } from "@leadline/carrier-sip-trunk/testing/ask-options";
import { unpackPackages } from "@leadline/carrier-sip-trunk/testing/fetch-peers";
import { peersIn } from "@leadline/carrier-sip-trunk/testing/peers-in";
import { freePort, type Running, startProgram, until } from "@leadline/carrier-sip-trunk/testing/start-program";

const patience = (): AbortSignal => AbortSignal.timeout(300_000);

/** Debian's Kamailio between SIP over WebSocket and a trunk over UDP, with its audio through that rtpengine. */
export async function startGateway(options: {
  folder: string;
  trunk: number;
  rtpengine: number;
}): Promise<Running & { port: number }> {
  const { folder, trunk, rtpengine } = options;
  // The tests' own Kamailio doesn't support WebSocket.
  const packages = ["kamailio", "kamailio-websocket-modules"];
  const { programs, env, kamailioModules } = peersIn(
    await unpackPackages(packages, folder, { env: process.env, signal: patience() }),
  );
  const port = await freePort();
  const values: Record<string, string | number> = { port, trunk, rtpengine, modules: kamailioModules };
  const template = await readFile(join(import.meta.dirname, "kamailio.cfg"), "utf8");
  const file = join(folder, "kamailio.cfg");
  await writeFile(
    file,
    template.replaceAll(/\$(port|trunk|rtpengine|modules)\b/g, (_, name: string) => String(values[name])),
  );
  const args = ["-f", file, "-DD", "-E", "-m", "64", "-M", "8", "-Y", folder, "-w", folder];
  const running = startProgram(programs.kamailio, args, { env, cwd: folder });
  await until("Kamailio listens", () => {
    if (running.process.exitCode !== null) throw new Error(`Kamailio ended: ${running.output()}`);
    return answersOptions(port);
  });
  return { ...running, port };
}
