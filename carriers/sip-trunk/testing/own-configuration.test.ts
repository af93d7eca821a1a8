import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";

import { startBaresip } from "./start-baresip.ts";
import { account, openStage } from "./start-callees.ts";
import { startKamailio } from "./start-kamailio.ts";
import { startLinphonec } from "./start-linphonec.ts";
import { freePort, type Running } from "./start-program.ts";
import { startRtpengine } from "./start-rtpengine.ts";
import { startTurnServer } from "./start-turn-server.ts";

async function argumentsOf({ process }: Pick<Running, "process">): Promise<string[]> {
  return (await readFile(`/proc/${process.pid}/cmdline`, "utf8")).split("\0").slice(1);
}

test("the peers of a test ignore the machine's own configuration, and two rtpengines run concurrently", async () => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const { peers, folder, keep } = stage;
  const kamailio = await keep(startKamailio(peers, { folder, account, port: await freePort(), callees: {} }));
  const turn = await keep(startTurnServer(peers, { folder, secret: "shared" }));
  const speaker = { folder, user: "agent", toneHz: 700 };
  const baresip = await keep(startBaresip(peers, { ...speaker, account: ";answermode=auto" }));
  const linphonec = await keep(startLinphonec(peers, speaker));
  for (const rtpengine of await Promise.all([1, 2].map(() => keep(startRtpengine(peers, { folder })))))
    expect(await argumentsOf(rtpengine)).toContain("--config-file=none");
  // coturn's -n: no configuration file.
  expect(await argumentsOf(turn)).toContain("-n");
  const inFolder: [Pick<Running, "process">, string][] = [
    [kamailio, "-f"],
    [baresip, "-f"],
    [linphonec, "-c"],
  ];
  for (const [peer, option] of inFolder) {
    const given = await argumentsOf(peer);
    expect(given[given.indexOf(option) + 1]).toMatch(folder);
  }
});
