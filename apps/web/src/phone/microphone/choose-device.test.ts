import { expect, test } from "vitest";
import { deviceInUse, listDevices, unpluggedSentence } from "./choose-device.ts";

const found = [
  { deviceId: "default", kind: "audioinput", label: "Default" },
  { deviceId: "a", kind: "audioinput", label: "Headset" },
  { deviceId: "b", kind: "audioinput", label: "" },
  { deviceId: "s", kind: "audiooutput", label: "Speakers" },
  { deviceId: "v", kind: "videoinput", label: "Camera" },
] as const;

test("microphones and speakers are told apart and unnamed ones are numbered", () => {
  const lists = listDevices(found);
  expect(lists.microphones.map((device) => device.label)).toEqual(["Default", "Headset", "Microphone 3"]);
  expect(lists.speakers).toEqual([{ id: "s", label: "Speakers" }]);
});
test("a browser that hides its devices until permission lists none", () => {
  expect(listDevices([{ deviceId: "", kind: "audioinput", label: "" }]).microphones).toEqual([]);
});
test("the saved microphone is used while it is plugged in, and the system default otherwise", () => {
  const { microphones } = listDevices(found);
  expect(deviceInUse(microphones, { id: "a", label: "Headset" })?.label).toBe("Headset");
  expect(deviceInUse(microphones, { id: "gone", label: "Gone" })?.label).toBe("Default");
  expect(deviceInUse([], { id: "a", label: "Headset" })).toBeNull();
});
test("a device with a new id is found by its name", () => {
  const { microphones } = listDevices(found);
  expect(deviceInUse(microphones, { id: "an-older-id", label: "Headset" })?.id).toBe("a");
});
test("unplugging the microphone in use is shown, with what is used instead", () => {
  const headset = { id: "a", label: "Headset" };
  expect(unpluggedSentence(headset, { id: "default", label: "Default" })).toBe(
    "Headset was unplugged. Using Default instead.",
  );
  expect(unpluggedSentence(headset, headset)).toBeNull();
  expect(unpluggedSentence(null, headset)).toBeNull();
});
