// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newTestCall } from "../testing/new-test-call.ts";
import { openPhone } from "../testing/open-phone.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

/** The pad's content after its call was started, found busy, and the start's response arrived last. */
async function padAfterBusyLine({ typedMeanwhile }: { typedMeanwhile?: string }): Promise<string> {
  const { phone, server } = await openPhone();
  const letGo = server.keepWaiting("POST /calls");
  phone.setPadText("+12025550101");
  const starting = phone.start("+12025550101");
  // Formatted as soon as the numbering plans have loaded.
  phone.setPadText("+1 202 555 0101");
  await vi.waitFor(() => expect(server.asked()).toContain("POST /calls"));
  phone.applyUpdate(newTestCall("+12025550101", 1, { status: "busy", revision: 9 }));
  expect(phone.getState().phase).toBe("ended");
  if (typedMeanwhile !== undefined) phone.setPadText(typedMeanwhile);
  letGo();
  await starting;
  return phone.getState().padText;
}

test("the number of a started call leaves the pad, and digits typed meanwhile stay", async () => {
  expect(await padAfterBusyLine({})).toBe("");
  expect(await padAfterBusyLine({ typedMeanwhile: "20" })).toBe("20");
  expect(await padAfterBusyLine({ typedMeanwhile: "Ann" })).toBe("Ann");
});
