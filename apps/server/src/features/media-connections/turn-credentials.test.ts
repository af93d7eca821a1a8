import { createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import { readConfig } from "../../config.ts";
import { mediaConfiguration } from "./turn-credentials.ts";

const secret = "0123456789abcdef";

test("TURN credentials belong to the browser's user, expire after twelve hours, and are signed with the shared secret", () => {
  vi.useFakeTimers({ now: new Date("2026-11-22T08:00:00Z") });
  const { iceServers, expiresAt } = mediaConfiguration({ urls: ["turn:turn.example.com"], secret }, "someone");
  vi.useRealTimers();
  expect(expiresAt).toBe("2026-11-22T20:00:00.000Z");
  const username = `${Date.parse("2026-11-22T20:00:00Z") / 1000}:someone`;
  const credential = createHmac("sha1", secret).update(username).digest("base64");
  expect(iceServers).toEqual([{ urls: ["turn:turn.example.com"], username, credential }]);
});

test("TURN's settings require each other, and rtpengines are given by their control ports", () => {
  const read = (settings: Record<string, string>) => readConfig(settings, { dev: false });
  const both = { TURN_URLS: "turn:a.example:3478 turns:a.example:5349?transport=tcp", TURN_SECRET: secret };
  expect(read(both).turn).toEqual({ urls: ["turn:a.example:3478", "turns:a.example:5349?transport=tcp"], secret });
  expect(read({}).turn).toBeNull();
  expect(() => read({ ...both, TURN_SECRET: "" })).toThrow(/must be set together/);
  expect(() => read({ ...both, TURN_URLS: "https://a.example" })).toThrow(/TURN_URLS must be addresses of TURN/);

  const nodes = [
    { host: "10.0.0.1", port: 2223 },
    { host: "fd00::1", port: 2224 },
  ];
  expect(read({ RTPENGINES: "udp:10.0.0.1:2223, udp:[fd00::1]:2224" }).rtpengines).toEqual(nodes);
  expect(read({}).rtpengines).toEqual([]);
  for (const wrong of ["10.0.0.1:2223", "udp:10.0.0.1", "tcp:10.0.0.1:2223", ","])
    expect(() => read({ RTPENGINES: wrong })).toThrow(/RTPENGINES must name the control ports/);
});
