import { expect, test } from "vitest";
import { nameDevice } from "./name-device.ts";

const agent = (system: string, rest: string) => `Mozilla/5.0 (${system}) ${rest}`;
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [agent("Macintosh; Intel Mac OS X 10_15_7", `${webkit} Chrome/140.0.0.0 Safari/537.36`), "Chrome on macOS"],
  [agent("Windows NT 10.0; Win64; x64", `${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`), "Edge on Windows"],
  [agent("X11; Linux x86_64; rv:145.0", "Gecko/20100101 Firefox/145.0"), "Firefox on Linux"],
  [
    agent("iPhone; CPU iPhone OS 18_0 like Mac OS X", `${webkit} Version/18.0 Mobile/15E148 Safari/604.1`),
    "Safari on an iPhone",
  ],
  [agent("Linux; Android 15; Pixel 9", `${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`), "Chrome on Android"],
  [agent("X11; CrOS x86_64 14541.0.0", `${webkit} Chrome/140.0.0.0 Safari/537.36`), "Chrome on ChromeOS"],
  ["curl/8.9.1", "A program (curl)"],
  [null, "Unknown device"],
])("%s is %s", (userAgent, name) => {
  expect(nameDevice(userAgent)).toBe(name);
});
