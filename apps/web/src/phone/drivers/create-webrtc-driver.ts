import * as requests from "../call/call-requests.ts";
import { ProblemError } from "../../data/problem-error.ts";
import type { CallDriver, DriverState, Obstacle, SoundReport } from "./call-driver.ts";
import { healConnection } from "./heal-connection.ts";
import type { AudioPeer } from "./open-audio-peer.ts";
import {
  closeBothEnds,
  type Connection,
  type ConnectionEvents,
  negotiate,
  type OfferedPeer,
  prepareOffer,
} from "./open-connection.ts";
import type { RemoteAudio } from "./remote-audio.ts";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";

/** Asks for a call's sound on a connection that is held, or by an offer of a new one. */
type SendMedia = (media: { offer: string } | { mediaConnectionId: string }) => ReturnType<typeof requests.attachCall>;

/** Carries calls over one WebRTC connection to Leadline's own media plane. */
export function createWebRtcDriver(remoteAudio: RemoteAudio): CallDriver {
  let connection: Connection | null = null;
  /** While no connection can be held: an offer made ahead, so that a call doesn't wait for one. */
  let prepared: OfferedPeer | null = null;
  let state: DriverState = "cold";
  let obstacle: Obstacle | null = null;
  let callSid: string | null = null;
  let microphone: MediaStreamTrack | null = null;
  let wantsWarm = false;
  /** Requests under way that will say where the sound is; until then reports are kept and not acted upon. */
  let settling = 0;
  let lastReport: SoundReport | null = null;
  /** Grows when a call is over, so that an attachment under way does not bring its sound back. */
  let releases = 0;
  let opening = false;
  let healing: Connection | null = null;
  /** The name of a connection that is gone, while another takes its place: reports may still call it so. */
  let replacing: string | null = null;
  const listeners = new Set<() => void>();

  function changed(next: DriverState = state): void {
    state = next;
    if (state === "ready") obstacle = null;
    for (const listener of listeners) listener();
  }

  function meet(met: unknown): void {
    if (met !== "no-way" && !(met instanceof ProblemError)) return;
    obstacle = met;
    changed();
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

  remoteAudio.onChange(changed);

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

  async function takeOffer(): Promise<OfferedPeer> {
    const taken = prepared;
    prepared = null;
    return taken ?? prepareOffer(events);
  }

  /** Opens the held connection. A failure is tried again while it is wanted, but not beside a call that brings its own. */
  async function warmUp(): Promise<void> {
    if (opening || connection) return;
    opening = true;
    obstacle = null;
    changed("connecting");
    const isNeeded = () => wantsWarm && !connection && settling === 0;
    for (let attempt = 0; isNeeded(); attempt += 1) {
      try {
        prepared ??= await prepareOffer(events);
        await waitForNetwork(retryPauseMs(attempt));
        if (!isNeeded()) break;
        const opened = await negotiate(await takeOffer(), requests.openConnection);
        // A call may have brought its own meanwhile, or the pad was left.
        if (opened.connection && (connection || !wantsWarm)) closeBothEnds(opened.connection);
        else if (opened.connection) await adopt(opened.connection);
      } catch (error) {
        if (requests.isProblem(error, "not-signed-in", "no-organisation", "not-allowed")) break;
        meet(error);
      }
    }
    prepared?.peer.close();
    prepared = null;
    opening = false;
    if (!connection && settling === 0) changed("cold");
  }

  async function heal(): Promise<void> {
    const broken = connection;
    if (!broken || healing === broken) return;
    healing = broken;
    changed("reconnecting");
    const outcome = await healConnection(broken, () => broken === connection && (callSid !== null || wantsWarm), meet);
    if (healing === broken) healing = null;
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
    replacing = lost.id;
    changed("reconnecting");
    const isNeeded = () => callSid !== null && !connection;
    for (let attempt = 0; isNeeded(); attempt += 1) {
      await waitForNetwork(retryPauseMs(attempt));
      if (callSid === null) break;
      try {
        await attach(callSid);
      } catch (error) {
        if (requests.isProblem(error, "call-ended", "not-found")) break;
        meet(error);
      }
    }
    replacing = null;
    if (connection) return;
    changed("cold");
    if (wantsWarm) await warmUp();
  }

  /** Runs a request whose answer says where the sound is, and then acts upon reports that are newer still. */
  async function settle<T>(work: () => Promise<T>): Promise<T> {
    settling += 1;
    try {
      return await work();
    } finally {
      settling -= 1;
      if (callSid === null && !wantsWarm && settling === 0) drop();
      if (wantsWarm && !connection && settling === 0 && replacing === null) void warmUp();
      changed();
      if (settling === 0 && lastReport?.callSid === callSid) obey(lastReport);
    }
  }

  const attach = (sid: string): Promise<void> => bring(sid, (media) => requests.attachCall(sid, media));
  const answer = (sid: string): Promise<void> => bring(sid, (media) => requests.answerCall(sid, media));

  const bring = (sid: string, send: SendMedia): Promise<void> =>
    settle(async () => {
      const releasesBefore = releases;
      const { mediaConnectionId, revision } = (await bringHeld(send)) ?? (await bringFresh(send));
      if (releases !== releasesBefore) return;
      callSid = sid;
      note({ callSid: sid, mediaConnectionId, revision });
    });

  /** Null: there is no connection to attach by, or the server knows it no more. */
  async function bringHeld(send: SendMedia) {
    if (!connection || state !== "ready") return null;
    try {
      return await send({ mediaConnectionId: connection.id });
    } catch (error) {
      if (requests.isProblem(error, "media-connection-gone")) return null;
      throw error;
    }
  }

  async function bringFresh(send: SendMedia) {
    const made = await negotiate(await takeOffer(), (offer) => send({ offer }));
    if (made.connection) await adopt(made.connection);
    return made.answered;
  }

  /** Answers whether the report is the newest of its call. */
  function note(report: SoundReport): boolean {
    if (lastReport?.callSid === report.callSid && report.revision < lastReport.revision) return false;
    lastReport = report;
    return true;
  }

  function obey({ callSid: sid, mediaConnectionId }: SoundReport): void {
    const isMine = mediaConnectionId !== null && mediaConnectionId === (connection?.id ?? replacing);
    if (isMine && callSid !== sid) {
      callSid = sid;
      changed();
    } else if (!isMine && callSid === sid) {
      if (mediaConnectionId !== null) release();
      else if (connection && healing !== connection) void replace();
    }
  }

  async function start(callee: requests.Callee, wish: requests.StartWish): Promise<{ callSid: string }> {
    if (connection && state === "ready") {
      try {
        return await requests.startCall(callee, { mediaConnectionId: connection.id }, wish);
      } catch (error) {
        if (!requests.isProblem(error, "media-connection-gone") || !wish.isWanted()) throw error;
      }
    }
    // Nothing was dialled with the first key.
    const withOffer = { ...wish, idempotencyKey: requests.keyWithOffer(wish.idempotencyKey) };
    const made = await negotiate(await takeOffer(), (offer) => requests.startCall(callee, { offer }, withOffer));
    if (made.connection) await adopt(made.connection);
    return made.answered;
  }

  function release(): void {
    releases += 1;
    callSid = null;
    if (!wantsWarm) return drop();
    changed();
    // It may have been lost with the call.
    if (replacing === null) void warmUp();
  }

  return {
    state: () => state,
    obstacle: () => obstacle,
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
    start: ({ idempotencyKey, isWanted, onSent, ...callee }) =>
      settle(async () => {
        const started = await start(callee, { idempotencyKey, isWanted, onSent });
        callSid = started.callSid;
        return started;
      }),
    attach,
    answer,
    follow(report) {
      if (note(report) && settling === 0) obey(report);
    },
    release,
    async setMicrophone(track) {
      microphone = track;
      await connection?.peer.setMicrophone(track);
    },
    resumeSound: remoteAudio.resume,
    soundBlocked: remoteAudio.isBlocked,
    setSpeaker: remoteAudio.setSpeaker,
    readSound: async () => (await connection?.peer.readSound()) ?? null,
  };
}
