import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";

import { openStage } from "./start-callees.ts";
import { startRtpengine } from "./start-rtpengine.ts";

test("rtpengines run side by side and read no configuration of the machine's", async () => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const { peers, folder } = stage;
  const both = await Promise.all([1, 2].map(() => stage.keep(startRtpengine(peers, { folder }))));
  for (const { process } of both) {
    const commandLine = await readFile(`/proc/${process.pid}/cmdline`, "utf8");
    expect(commandLine.split("\0")).toContain("--config-file=none");
  }
});
