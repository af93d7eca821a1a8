import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findPeers } from "./find-peers.ts";
import { type Account, type KamailioOptions, startKamailio } from "./start-kamailio.ts";
import { startMenu } from "./start-menu.ts";
import { startPbx } from "./start-pbx.ts";
import { freePort, type Running } from "./start-program.ts";
import { type SippOptions, startSipp, writeTone } from "./start-sipp.ts";

export const account: Account = { user: "agent", password: "a secret, with=signs: and spaces" };
export const number = (lastTwo: string): string => `+120255501${lastTwo}`;

/** A folder for this test and the programs that it started; `close` removes all of it. */
export async function openStage() {
  const peers = findPeers();
  const folder = await mkdtemp(join(tmpdir(), "leadline-sip-"));
  const running: Pick<Running, "stop">[] = [];
  await writeTone(folder);

  async function keep<T extends Pick<Running, "stop">>(started: Promise<T>): Promise<T> {
    const one = await started;
    running.push(one);
    return one;
  }

  async function sipp(options: Omit<SippOptions, "folder" | "port"> & { port?: number }) {
    const port = options.port ?? (await freePort());
    return { ...(await keep(startSipp(peers, { ...options, folder, port }))), port };
  }

  return {
    peers,
    folder,
    keep,
    /** Resolves to its port. */
    sipp: async (options: Omit<SippOptions, "folder" | "port"> & { port?: number }): Promise<number> =>
      (await sipp(options)).port,
    sippProcess: sipp,
    /** Makes a call; resolves to 0 if everything went as the scenario says. */
    caller: async ({ scenario, port, number: called }: { scenario: string; port: number; number: string }) =>
      startSipp(peers, { folder, scenario, port: await freePort(), calls: { port, number: called } }),
    async kamailio(options: Omit<KamailioOptions, "folder" | "port" | "account"> & { port?: number }) {
      const port = options.port ?? (await freePort());
      const started = await keep(startKamailio(peers, { account, ...options, folder, port }));
      return { ...started, port };
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The callees for the conformance suite, behind a Kamailio that requires a password and stays in the path. */
export async function startCallees(stage: Stage): Promise<KamailioOptions["callees"]> {
  const [speaks, echoes, rings, hangsUp, holds] = await Promise.all([
    stage.sipp({ scenario: "speak" }),
    stage.sipp({ scenario: "answer", echoes: true }),
    stage.sipp({ scenario: "ring-only" }),
    stage.sipp({ scenario: "hang-up" }),
    stage.sipp({ scenario: "hold" }),
  ]);
  const menu = await stage.keep(startMenu(stage.peers, stage.folder, number("08")));
  const pbx = await stage.keep(startPbx());
  return { "00": speaks, "01": echoes, "04": rings, "08": menu.port, "09": hangsUp, "10": pbx.port, "11": holds };
}
