import { readFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";

import { fetchPeers } from "./fetch-peers.ts";

/** Once per run, before its first test, and only if one of its tests opens a stage of SIP peers. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | void> {
  const texts = await Promise.all(
    project.vitest.state.getPaths().map((path) => readFile(path, "utf8").catch(() => "")),
  );
  if (!texts.some((text) => text.includes("openStage"))) return;
  try {
    const { root, remove } = await fetchPeers();
    project.provide("sipPeers", { root });
    return remove;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    project.vitest.logger.error(problem);
    project.provide("sipPeers", { problem });
  }
}
