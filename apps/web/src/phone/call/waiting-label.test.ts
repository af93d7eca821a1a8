// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";
import { callStageLabel } from "./phone-state.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

test("a call that waits for one of its carrier's lines says so until it has one", async () => {
  const { phone, server } = await openPhone();
  await phone.start("+12025550101");
  const change = (more: object) => phone.applyUpdate(server.change("CA00000000000000000000000000000001", more));
  change({ waitsFor: "Sales" });
  expect(callStageLabel(phone.getState())).toBe("Waiting for a free line at Sales…");
  change({ waitsFor: null });
  expect(callStageLabel(phone.getState())).toBe("Calling…");
});
