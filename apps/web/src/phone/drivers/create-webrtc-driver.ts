import type { CallDriver } from "./call-driver.ts";
import { createCallOnConnection } from "./call-on-connection.ts";
import { createHeldConnection } from "./held-connection.ts";
import type { RemoteAudio } from "./remote-audio.ts";
import { createRepair } from "./repair-connection.ts";

/** Carries calls over one WebRTC connection to Leadline's own media plane. */
export function createWebRtcDriver(remoteAudio: RemoteAudio): CallDriver {
  const held = createHeldConnection(remoteAudio, {
    callSid: () => call.callSid(),
    isPending: () => call.isPending(),
    onBroken: () => void repair.heal(),
    onGone: () => void repair.replace(),
  });
  const repair = createRepair(held, { callSid: () => call.callSid(), attach: (callSid) => call.attach(callSid) });
  const call = createCallOnConnection(held, repair);
  remoteAudio.onChange(() => held.changed());

  const { state, obstacle, onChange, keepWarm, coolDown, setMicrophone, readSound } = held;
  const { callSid, start, answer, attach, follow, release } = call;
  return {
    state,
    obstacle,
    callSid,
    connectionId: () => held.get()?.id ?? null,
    onChange,
    keepWarm,
    coolDown,
    start,
    answer,
    attach,
    follow,
    release,
    setMicrophone,
    resumeSound: remoteAudio.resume,
    soundBlocked: remoteAudio.isBlocked,
    setSpeaker: remoteAudio.setSpeaker,
    readSound,
  };
}
