import { createListeners } from "../../data/create-listeners.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";
import * as requests from "../../data/call-requests.ts";
import type { DriverState, Obstacle, AudioReading } from "./call-driver.ts";
import { closeBothEnds, type Connection, negotiate, type OfferedPeer, prepareOffer } from "./open-connection.ts";
import type { RemoteAudio } from "./remote-audio.ts";

interface Surroundings {
  /** The call whose audio is here. */
  callSid: () => string | null;
  /** A request is pending that may bring a connection of its own. */
  isPending: () => boolean;
  /** No packet gets through. */
  onBroken: () => void;
  /** The server has closed it. */
  onGone: () => void;
}

/** The state of the connection and its listeners. */
function showState() {
  let state: DriverState = "cold";
  let obstacle: Obstacle | null = null;
  const listeners = createListeners();

  /** Notifies listeners of a change in the state, or in something else. */
  function changed(next: DriverState = state): void {
    state = next;
    if (state === "ready") obstacle = null;
    listeners.notify();
  }

  return {
    state: (): DriverState => state,
    obstacle: (): Obstacle | null => obstacle,
    onChange: listeners.subscribe,
    changed,
    /** Records an obstacle; any other error isn't shown. */
    meet(met: unknown): void {
      if (met !== "no-way" && !(met instanceof ProblemError)) return;
      obstacle = met;
      changed();
    },
    /** Connecting, and no obstacle is known. */
    startOver(): void {
      obstacle = null;
      changed("connecting");
    },
  };
}

/**
 * The page's one connection to the media plane: opened ahead while it is wanted, and replaced if a call brings its own.
 */
export function createHeldConnection(remoteAudio: RemoteAudio, surroundings: Surroundings) {
  const { callSid, isPending, onBroken, onGone } = surroundings;
  let connection: Connection | null = null;
  /** While no connection can be held: an offer made ahead, so that a call doesn't wait for one. */
  let prepared: OfferedPeer | null = null;
  let microphone: MediaStreamTrack | null = null;
  let wantsWarm = false;
  let opening = false;
  const { startOver, ...shown } = showState();
  const { changed, meet } = shown;

  const offerPeer = (): Promise<OfferedPeer> =>
    prepareOffer({
      onIceState(peer, iceState) {
        if (peer !== connection?.peer) return;
        if (iceState === "connected" || iceState === "completed") changed("ready");
        if (iceState === "disconnected" || iceState === "failed") onBroken();
      },
      onGone(peer) {
        if (peer === connection?.peer) onGone();
      },
    });

  async function takeOffer(): Promise<OfferedPeer> {
    const taken = prepared;
    prepared = null;
    return taken ?? offerPeer();
  }

  async function adopt(next: Connection): Promise<void> {
    const former = connection;
    connection = next;
    if (former && former !== next) closeBothEnds(former);
    remoteAudio.play(next.peer.remoteTrack);
    await next.peer.setMicrophone(microphone);
    const connected = ["connected", "completed"].includes(next.peer.iceState());
    changed(connected ? "ready" : shown.state() === "reconnecting" ? "reconnecting" : "connecting");
  }

  function drop(): void {
    const former = connection;
    connection = null;
    if (former) closeBothEnds(former);
    changed("cold");
  }

  /** Opens the connection. Retries after a failure while it is wanted, but not next to a call that brings its own. */
  async function warmUp(): Promise<void> {
    if (opening || connection) return;
    opening = true;
    startOver();
    const isNeeded = () => wantsWarm && !connection && !isPending();
    for (let attempt = 0; isNeeded(); attempt += 1) {
      try {
        prepared ??= await offerPeer();
        await waitForNetwork(retryPauseMs(attempt));
        if (!isNeeded()) break;
        const opened = await negotiate(await takeOffer(), requests.openConnection);
        // A call may have brought its own meanwhile, or the rep has left the pad.
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
    if (!connection && !isPending()) changed("cold");
  }

  return {
    get: (): Connection | null => connection,
    ...shown,
    adopt,
    drop,
    /** Drops a connection that the server no longer knows, and returns it. */
    lose(): Connection | null {
      const lost = connection;
      connection = null;
      lost?.peer.close();
      return lost;
    },
    /** The offer that was made ahead, or a new one. */
    takeOffer,
    warmUp,
    wantsWarm: (): boolean => wantsWarm,
    keepWarm(): void {
      wantsWarm = true;
      void warmUp();
    },
    coolDown(): void {
      wantsWarm = false;
      if (callSid() === null && !isPending()) drop();
    },
    async setMicrophone(track: MediaStreamTrack | null): Promise<void> {
      microphone = track;
      await connection?.peer.setMicrophone(track);
    },
    readSound: async (): Promise<AudioReading | null> => (await connection?.peer.readSound()) ?? null,
  };
}
export type HeldConnection = ReturnType<typeof createHeldConnection>;
