import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that took 40 s or more, slowest first. A clean clone has no recorded times, and would start some of them last.
 */
export const slowest = [
  "apps/server/src/http/own-filters",
  "apps/server/src/calls-survive-faults",
  "apps/server/src/features/calls/calls",
  "apps/server/src/http/tenancy-matrix",
  "apps/server/src/http/endpoints-fuzz",
  "apps/server/src/survive-crashes",
  "apps/server/src/media-plane/interop/moving-far-end",
  "apps/server/src/media-plane/interop/far-end-hold",
  "apps/server/src/features/carriers/caller-id/verified-caller-ids",
  "apps/server/src/features/voicemail/voicemail-outside-hours",
  "apps/server/src/features/calls/in-call/media-timeout",
  "apps/server/src/features/calls/recovery/resume-second-lines",
  "apps/server/src/media-plane/interop/packet-lengths",
  "carriers/sip-trunk/calls/ends-with-bye",
  "apps/server/src/media-plane/interop/session-descriptions",
  "apps/server/src/features/calls/in-call/enforce-call-bounds",
  "apps/server/src/features/calls/recovery/resume-calls",
  "apps/server/src/media-plane/encrypted-audio",
  "apps/server/src/features/calls/inbound/ring-teammate",
  "apps/server/src/media-plane/interop/rtcp",
  "apps/server/src/features/calls/recovery/two-processes",
  "carriers/sip-trunk/calls/lenient-answers",
  "apps/server/src/media-plane/werift-media-plane",
  "e2e/accessibility",
  "e2e/specified-screens",
  "e2e/teammates",
  "e2e/call-on-public-pages",
  "e2e/settings",
  "e2e/restart",
  "e2e/leads",
  "e2e/second-line",
  "e2e/hosted-login",
  "e2e/call-outlives-the-page",
  "e2e/unsaved-forms",
  "e2e/integrations",
  "e2e/layout",
  "e2e/call-endings",
  "e2e/keyboard",
  "e2e/many-tabs",
  "e2e/phone-numbers",
  "e2e/carriers",
  "e2e/network-cut",
  "e2e/rtpengine",
  "e2e/registration",
  "e2e/trunk",
  "e2e/edit-while-running",
  "e2e/inbound-calls",
  "e2e/trunk-peers",
].map((name) => `${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at === -1 ? slowest.length : at;
};

/** A worker runs files of one project and environment one after the other, and is restarted for another. */
const usesDom = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, "utf8").startsWith("// @vitest-environment happy-dom");

/** The slowest start first, so that the end of a group isn't spent waiting for one file. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not an array's
    const usual = await super.sort(files);
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const inDom = new Set(usual.filter(usesDom));
    const environment = (one: TestSpecification): number => Number(inDom.has(one));
    const projects = [...new Set(usual.map(({ project }) => project))];
    const project = (one: TestSpecification): number => projects.indexOf(one.project);
    return usual.toSorted(
      (a, b) => group(a) - group(b) || project(a) - project(b) || rank(a) - rank(b) || environment(a) - environment(b),
    );
  }
}
