import * as requests from "../call/call-requests.ts";
import type { CallDriver, DriverState } from "./call-driver.ts";
import { healConnection } from "./heal-connection.ts";
import type { AudioPeer } from "./open-audio-peer.ts";
import { closeBothEnds, type Connection, type ConnectionEvents, negotiate } from "./open-connection.ts";
import type { RemoteAudio } from "./remote-audio.ts";
import { retryPauseMs, waitForNetwork } from "./wait-for-network.ts";

/** Carries calls over one WebRTC connection to Leadline's own media plane. */
export function createWebRtcDriver(remoteAudio: RemoteAudio): CallDriver {
  let connection: Connection | null = null;
  let state: DriverState = "cold";
  let callSid: string | null = null;
  let microphone: MediaStreamTrack | null = null;
  let wantsWarm = false;
  /** Requests under way that will say where the sound is; until then the server's word may be older than ours. */
  let settling = 0;
  let opening = false;
  let healing = false;
  const listeners = new Set<() => void>();

  function changed(next: DriverState = state): void {
    state = next;
    for (const listener of listeners) listener();
  }

  const events: ConnectionEvents = {
    onIceState(peer, iceState) {
      if (peer !== connection?.peer) return;
      if (iceState === "connected" || iceState === "completed") changed("ready");
      if (iceState === "disconnected" || iceState === "failed") void heal();
    },
    onGone(peer: AudioPeer) {
      if (peer === connection?.peer) void replace();
    },
  };

  async function adopt(next: Connection): Promise<void> {
    const former = connection;
    connection = next;
    if (former && former !== next) closeBothEnds(former);
    remoteAudio.play(next.peer.remoteTrack);
    await next.peer.setMicrophone(microphone);
    const connected = ["connected", "completed"].includes(next.peer.iceState());
    changed(connected ? "ready" : state === "reconnecting" ? "reconnecting" : "connecting");
  }

  function drop(): void {
    const former = connection;
    connection = null;
    if (former) closeBothEnds(former);
    changed("cold");
  }

  /** Opens the held connection. A failure is tried again while the connection is wanted. */
  async function warmUp(): Promise<void> {
    if (opening || connection) return;
    opening = true;
    changed("connecting");
    const isNeeded = () => wantsWarm && !connection;
    for (let attempt = 0; isNeeded(); attempt += 1) {
      try {
        await waitForNetwork(retryPauseMs(attempt));
        const opened = await negotiate(events, requests.openConnection);
        // A call may have brought its own meanwhile, or the pad was left.
        if (opened.connection && (connection || !wantsWarm)) closeBothEnds(opened.connection);
        else if (opened.connection) await adopt(opened.connection);
      } catch (error) {
        if (requests.isProblem(error, "not-signed-in", "no-organisation", "not-allowed")) break;
      }
    }
    opening = false;
    if (!connection) changed("cold");
  }

  async function heal(): Promise<void> {
    const broken = connection;
    if (healing || !broken) return;
    healing = true;
    changed("reconnecting");
    const outcome = await healConnection(broken, () => broken === connection && (callSid !== null || wantsWarm));
    healing = false;
    if (outcome === "gone" && broken === connection) await replace();
    else if (outcome === "healed" && broken === connection) changed("ready");
    else if (broken === connection) drop();
  }

  /** The server knows our connection no more: a fresh one, brought to the call where there is one. */
  async function replace(): Promise<void> {
    const lost = connection;
    if (!lost) return;
    connection = null;
    lost.peer.close();
    if (callSid === null) {
      changed("cold");
      return warmUp();
    }
    changed("reconnecting");
    const isNeeded = () => callSid !== null && !connection;
    for (let attempt = 0; isNeeded(); attempt += 1) {
      await waitForNetwork(retryPauseMs(attempt));
      if (callSid === null) break;
      try {
        await attach(callSid);
      } catch (error) {
        if (requests.isProblem(error, "call-ended", "not-found")) break;
      }
    }
    if (!connection) changed("cold");
  }

  async function attach(sid: string): Promise<void> {
    settling += 1;
    try {
      const held = connection;
      if (held && state === "ready") {
        try {
          await requests.attachCall(sid, { mediaConnectionId: held.id });
          callSid = sid;
          return;
        } catch (error) {
          if (!requests.isProblem(error, "media-connection-gone")) throw error;
        }
      }
      const made = await negotiate(events, (offer) => requests.attachCall(sid, { offer }));
      callSid = sid;
      if (made.connection) await adopt(made.connection);
    } finally {
      settling -= 1;
      changed();
    }
  }

  async function start(phoneNumber: string, idempotencyKey: string): Promise<{ callSid: string }> {
    if (connection && state === "ready") {
      try {
        return await requests.startCall(phoneNumber, { mediaConnectionId: connection.id }, idempotencyKey);
      } catch (error) {
        if (!requests.isProblem(error, "media-connection-gone")) throw error;
      }
    }
    // Another body needs another key; nothing was dialled with the first.
    const key = `${idempotencyKey}-offer`;
    const made = await negotiate(events, (offer) => requests.startCall(phoneNumber, { offer }, key));
    if (made.connection) await adopt(made.connection);
    return made.answered;
  }

  function release(): void {
    callSid = null;
    if (wantsWarm) changed();
    else drop();
  }

  return {
    state: () => state,
    callSid: () => callSid,
    connectionId: () => connection?.id ?? null,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keepWarm() {
      wantsWarm = true;
      void warmUp();
    },
    coolDown() {
      wantsWarm = false;
      if (callSid === null && settling === 0) drop();
    },
    async start(call) {
      settling += 1;
      try {
        const started = await start(call.phoneNumber, call.idempotencyKey);
        callSid = started.callSid;
        return started;
      } finally {
        settling -= 1;
        if (callSid === null && !wantsWarm) drop();
        changed();
      }
    },
    attach,
    follow(call) {
      if (settling > 0) return;
      const isMine = connection !== null && call.mediaConnectionId === connection.id;
      if (isMine && callSid !== call.callSid) {
        callSid = call.callSid;
        changed();
      } else if (!isMine && callSid === call.callSid) {
        if (call.mediaConnectionId !== null) release();
        else if (!healing && connection) void replace();
      }
    },
    release,
    async setMicrophone(track) {
      microphone = track;
      await connection?.peer.setMicrophone(track);
    },
    setSpeaker: remoteAudio.setSpeaker,
    readSound: async () => (await connection?.peer.readSound()) ?? null,
  };
}
