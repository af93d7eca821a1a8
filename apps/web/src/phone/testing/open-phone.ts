import { onTestFinished } from "vitest";
import { createPhone } from "../call/create-phone.ts";
import { createWebRtcDriver } from "../drivers/create-webrtc-driver.ts";
import { createCallMicrophone } from "../microphone/create-call-microphone.ts";
import { createDevices } from "../microphone/create-devices.ts";
import { startCallServer } from "./call-server.ts";
import { installFakePeers } from "./fake-peers.ts";
import { testUserId } from "./new-test-call.ts";
import { plugInMicrophone } from "./plug-in-microphone.ts";
import { silentAudio } from "./silent-audio.ts";

/** The page's phone with its real driver, as far as possible without a browser's media. */
export async function openPhone(options: { microphoneRefusal?: string } = {}) {
  const server = await startCallServer();
  const browser = installFakePeers();
  const page = silentAudio();
  plugInMicrophone(options.microphoneRefusal ?? null);
  const driver = createWebRtcDriver(page.audio);
  const devices = createDevices();
  const microphone = createCallMicrophone(driver, devices);
  const noSound = () => {};
  const sounds = {
    dialing: { start: noSound, stop: noSound },
    ringing: { start: noSound, stop: noSound },
    key: noSound,
    mute: noSound,
    hangUp: noSound,
    warning: noSound,
  };
  const phone = createPhone({ driver, devices, microphone, sounds });
  phone.setUser(testUserId);
  onTestFinished(() => {
    driver.release();
    return server.quiet();
  });
  /** Whether the far end hears this page. */
  const isHeard = () => browser.open().some((peer) => peer.microphone?.enabled);
  return { server, browser, page, phone, isHeard };
}
