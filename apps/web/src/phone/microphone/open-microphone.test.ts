// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { plugInMicrophone } from "../testing/plug-in-microphone.ts";
import { createDevices } from "./create-devices.ts";
import { microphoneSentences, openMicrophone } from "./open-microphone.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["NotAllowedError", "denied"],
  ["SecurityError", "denied"],
  ["NotFoundError", "none"],
  ["NotReadableError", "busy"],
  ["AbortError", "busy"],
] as const)("a microphone that the browser refuses with %s is reported as %s", async (name, problem) => {
  plugInMicrophone(name);
  await expect(openMicrophone(null)).rejects.toMatchObject({ problem, message: microphoneSentences[problem] });
});

test("an error when opening the microphone is logged with the browser's own message", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  plugInMicrophone("NotAllowedError");
  await expect(createDevices().open()).rejects.toMatchObject({ problem: "denied" });
  const refused = expect.objectContaining({ problem: "denied", cause: new DOMException("refused", "NotAllowedError") });
  expect(warn.mock.calls).toEqual([["The microphone can’t be opened.", refused]]);
});

test("a page without media devices is insecure, which is shown before a call and separately", async () => {
  Object.defineProperty(navigator, "mediaDevices", { value: undefined, configurable: true });
  const devices = createDevices();
  await devices.whenReady;
  expect(devices.getState().problem).toBe("insecure");
  await expect(devices.open()).rejects.toMatchObject({ problem: "insecure" });
  expect(new Set(Object.values(microphoneSentences)).size).toBe(4);
});

test("a chosen microphone that is gone is replaced by the system default", async () => {
  plugInMicrophone(null);
  const open = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  open.mockRejectedValueOnce(new DOMException("gone", "OverconstrainedError"));
  await openMicrophone("unplugged");
  expect(open.mock.calls.map(([wanted]) => typeof wanted?.audio === "object" && "deviceId" in wanted.audio)).toEqual([
    true,
    false,
  ]);
});
