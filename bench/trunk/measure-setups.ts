import { setTimeout as sleep } from "node:timers/promises";

import type { RunningApp } from "../../testing/start-app.ts";
import type { Phones } from "./open-phones.ts";
import { callOfFreshPage, callOnce, type Setup } from "./phones.ts";

/** The previous call has been cleaned up by then, and a held connection is ready. */
const settleMs = 800;

const measuredPhones = [
  "Leadline",
  "JsSIP",
  "Leadline with rtpengine",
  "JsSIP, tuned",
  "Leadline, nothing held",
  "Leadline, fresh page",
  "JsSIP, fresh page",
] as const;
export type MeasuredPhone = (typeof measuredPhones)[number];

/** Alternates calls of each phone; half as many for new pages, as each must be opened. */
export async function measureSetups(options: {
  phones: Phones;
  apps: { app: RunningApp; appWithRtpengine: RunningApp };
  rounds: number;
}): Promise<Map<MeasuredPhone, Setup[]>> {
  const { openOurs, openJssip } = options.phones;
  const { app, appWithRtpengine } = options.apps;
  const [ours, jssip, oursWithRtpengine, jssipTuned, oursUnheld] = [
    await openOurs(app),
    await openJssip({ isTuned: false }),
    await openOurs(appWithRtpengine),
    await openJssip({ isTuned: true }),
    await openOurs(app, { holds: false }),
  ];
  const turns: [name: MeasuredPhone, every: number, call: () => Promise<Setup>][] = [
    ["Leadline", 1, () => callOnce(ours)],
    ["JsSIP", 1, () => callOnce(jssip)],
    ["Leadline with rtpengine", 1, () => callOnce(oursWithRtpengine)],
    ["JsSIP, tuned", 1, () => callOnce(jssipTuned)],
    ["Leadline, nothing held", 1, () => callOnce(oursUnheld)],
    ["Leadline, fresh page", 2, () => callOfFreshPage(() => openOurs(app))],
    ["JsSIP, fresh page", 2, () => callOfFreshPage(() => openJssip({ isTuned: false }))],
  ];
  for (const [, , call] of turns) await call();

  const setups = new Map<MeasuredPhone, Setup[]>(measuredPhones.map((name) => [name, []]));
  for (let round = 0; round < options.rounds; round += 1)
    for (const [name, every, call] of turns) {
      if (round % every > 0) continue;
      await sleep(settleMs);
      setups.get(name)?.push(await call());
    }
  return setups;
}
