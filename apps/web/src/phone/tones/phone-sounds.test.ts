// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { chooseNotice, noticeNames } from "../../data/notice-choices.ts";
import { createPhoneSounds } from "./phone-sounds.ts";

afterEach(() => {
  for (const name of noticeNames) chooseNotice(name, true);
});

test("each kind of sound plays until it is switched off, and the others continue", () => {
  const played: string[] = [];
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    played.push(/[\w-]+(?=\.wav)/.exec(this.src)?.[0].replace(/-\d$/, "") ?? "");
    return Promise.resolve();
  });
  const sounds = createPhoneSounds();
  const playAll = () => {
    played.length = 0;
    sounds.key();
    sounds.mute(true);
    sounds.mute(false);
    sounds.hangUp();
    sounds.dialing.start();
    sounds.dialing.stop();
    sounds.ringing.start();
    sounds.ringing.stop();
    return played;
  };
  expect(playAll()).toEqual(["key", "mute-on", "mute-off", "hang-up", "dialing", "incoming"]);
  chooseNotice("key-sounds", false);
  expect(playAll()).toEqual(["mute-on", "mute-off", "hang-up", "dialing", "incoming"]);
  chooseNotice("dialing-sound", false);
  expect(playAll()).toEqual(["mute-on", "mute-off", "hang-up", "incoming"]);
  chooseNotice("call-sounds", false);
  expect(playAll()).toEqual(["incoming"]);
  chooseNotice("ringing-sound", false);
  expect(playAll()).toEqual([]);
});
