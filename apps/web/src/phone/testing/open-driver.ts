import { expect, onTestFinished, vi } from "vitest";
import { createWebRtcDriver } from "../drivers/create-webrtc-driver.ts";
import { startCallServer } from "./call-server.ts";
import { installFakePeers } from "./fake-peers.ts";
import { silentAudio } from "./silent-audio.ts";

export async function openDriver() {
  const server = await startCallServer();
  const browser = installFakePeers();
  const driver = createWebRtcDriver(silentAudio().audio);
  onTestFinished(() => {
    driver.coolDown();
    driver.release();
    return server.quiet();
  });
  const until = (state: string) => vi.waitFor(() => expect(driver.state()).toBe(state), 3000);
  /** The requests that the server received while `work` ran. */
  async function asked(work: () => Promise<unknown>): Promise<string[]> {
    const before = server.seen.length;
    await work();
    return server.asked().slice(before);
  }
  const untilClosed = () => vi.waitFor(() => expect(browser.open()).toEqual([]));
  return { server, browser, driver, until, untilClosed, asked };
}
export type Opened = Awaited<ReturnType<typeof openDriver>>;

export async function heldDriver() {
  const opened = await openDriver();
  opened.driver.keepWarm();
  await opened.until("ready");
  return opened;
}
export const call = { phoneNumber: "+12025550100", idempotencyKey: "key-of-this-call", isWanted: () => true };
export const attachment = "POST /calls/{id}/media";

/** A driver that has a call's audio, and wants no connection beyond it. */
export async function inCall() {
  const opened = await openDriver();
  const { callSid } = await opened.driver.start(call);
  await opened.until("ready");
  return { ...opened, callSid };
}
export const report = ({ server, driver }: Opened, callSid: string, mediaConnectionId: string | null) =>
  driver.follow(server.change(callSid, { mediaConnectionId }));
