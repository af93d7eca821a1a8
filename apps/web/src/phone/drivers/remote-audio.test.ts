// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { createRemoteAudio } from "./remote-audio.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A browser that plays nothing before the first gesture. */
function openStrictBrowser() {
  let gesture = false;
  let paused = true;
  vi.stubGlobal("MediaStream", EventTarget);
  vi.spyOn(HTMLMediaElement.prototype, "srcObject", "set").mockImplementation(() => {});
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(() => paused);
  const played = vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async () => {
    if (!gesture) throw new DOMException("play() failed because the user didn't interact", "NotAllowedError");
    paused = false;
  });
  return { played, press: () => void (gesture = true) };
}
const track = () => Object.assign(new EventTarget(), { kind: "audio" }) as MediaStreamTrack;

test("audio that the browser blocks on load is reported, and played at the next click", async () => {
  const browser = openStrictBrowser();
  const audio = createRemoteAudio();
  const told: boolean[] = [];
  audio.onChange(() => told.push(audio.isBlocked()));
  audio.play(track());
  await vi.waitFor(() => expect(told).toEqual([true]));
  browser.press();
  audio.resume();
  expect(told).toEqual([true, false]);
  audio.resume();
  expect(browser.played).toHaveBeenCalledTimes(2);
});
