import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take half a minute or more. A clean clone knows no times, and would begin some of them last. */
const slowest = [
  "server/src/survive-crashes",
  "server/src/calls-survive-faults",
  "calls/calls",
  "werift-media-plane",
  "endpoints-fuzz",
  "carriers/sandbox/conformance",
  "e2e/rtpengine",
  "e2e/settings",
  "e2e/accessibility",
  "e2e/leads",
  "e2e/specified-screens",
  "e2e/hosted-login",
  "e2e/integrations",
  "e2e/network-cut",
  "e2e/call-endings",
  "e2e/call-outlives-the-page",
].map((name) => `/${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.endsWith(name));
  return at === -1 ? slowest.length : at;
};

/** A worker serves one file after another of the same environment, and is begun anew for another. */
const usesDom = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, "utf8").startsWith("// @vitest-environment happy-dom");

/** What takes longest begins first, so that the end of a group is not spent waiting for one file. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not an array's
    const usual = await super.sort(files);
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const inDom = new Set(usual.filter(usesDom));
    const environment = (one: TestSpecification): number => Number(inDom.has(one));
    return usual.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b) || environment(a) - environment(b));
  }
}
