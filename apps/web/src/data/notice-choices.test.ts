// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { chooseNotice, noticeNames, wantsNotice } from "./notice-choices.ts";

test("every notice is on until it is switched off, each on its own", () => {
  const wanted = () => noticeNames.filter(wantsNotice);
  expect(wanted()).toEqual(noticeNames);
  chooseNotice("key-sounds", false);
  chooseNotice("sync-ended", false);
  const others = noticeNames.filter((name) => name !== "key-sounds" && name !== "sync-ended");
  expect(wanted()).toEqual(others);
  chooseNotice("key-sounds", true);
  expect(wanted()).toEqual(["key-sounds", ...others]);
  chooseNotice("sync-ended", true);
  expect(wanted()).toEqual(noticeNames);
});
