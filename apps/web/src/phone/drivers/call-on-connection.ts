import * as requests from "../../data/call-requests.ts";
import type { CallDriver, SoundReport } from "./call-driver.ts";
import type { HeldConnection } from "./held-connection.ts";
import { negotiate, type Negotiated } from "./open-connection.ts";
import type { Repair } from "./repair-connection.ts";

/** Requests a call's audio on a held connection, or by the offer of a new one. */
type SendMedia = (media: { offer: string } | { mediaConnectionId: string }) => ReturnType<typeof requests.attachCall>;

/** Which call's audio is on the held connection, as requested by this page and reported by the server. */
export function createCallOnConnection(
  held: HeldConnection,
  repair: Pick<Repair, "isHealing" | "replacing" | "replace">,
) {
  let callSid: string | null = null;
  /** Pending requests that will say where the audio is; until then, reports are stored but not acted upon. */
  let pending = 0;
  let lastReport: SoundReport | null = null;
  /** Incremented when a call ends, so that a pending attachment doesn't bring its audio back. */
  let releases = 0;

  /** Runs a request whose response says where the audio is, and then acts upon reports that are newer still. */
  async function whilePending<T>(work: () => Promise<T>): Promise<T> {
    pending += 1;
    try {
      return await work();
    } finally {
      pending -= 1;
      if (callSid === null && !held.wantsWarm() && pending === 0) held.drop();
      if (held.wantsWarm() && !held.get() && pending === 0 && repair.replacing() === null) void held.warmUp();
      held.changed();
      if (pending === 0 && lastReport?.callSid === callSid) applyReport(lastReport);
    }
  }

  const bring = (sid: string, send: SendMedia): Promise<void> =>
    whilePending(async () => {
      const releasesBefore = releases;
      const { mediaConnectionId, revision } = (await useHeld(send)) ?? (await openFresh(send));
      if (releases !== releasesBefore) return;
      callSid = sid;
      note({ callSid: sid, mediaConnectionId, revision });
    });

  const ready = () => (held.state() === "ready" ? held.get() : null);

  /** Null: there is no connection to attach with, or the server no longer knows it. */
  async function useHeld(send: SendMedia) {
    const connection = ready();
    if (!connection) return null;
    try {
      return await send({ mediaConnectionId: connection.id });
    } catch (error) {
      if (requests.isProblem(error, "media-connection-gone")) return null;
      throw error;
    }
  }

  async function openFresh<T extends Negotiated>(send: (media: { offer: string }) => Promise<T>): Promise<T> {
    const made = await negotiate(await held.takeOffer(), (offer) => send({ offer }));
    if (made.connection) await held.adopt(made.connection);
    return made.answered;
  }

  /** Returns whether the report is the newest of its call. */
  function note(report: SoundReport): boolean {
    if (lastReport?.callSid === report.callSid && report.revision < lastReport.revision) return false;
    lastReport = report;
    return true;
  }

  function applyReport({ callSid: sid, mediaConnectionId }: SoundReport): void {
    const connection = held.get();
    const isMine = mediaConnectionId !== null && mediaConnectionId === (connection?.id ?? repair.replacing());
    if (isMine && callSid !== sid) {
      callSid = sid;
      held.changed();
    } else if (!isMine && callSid === sid) {
      if (mediaConnectionId !== null) release();
      else if (connection && !repair.isHealing(connection)) void repair.replace();
    }
  }

  async function place(callee: requests.Callee, wish: requests.StartWish): Promise<{ callSid: string }> {
    const connection = ready();
    if (connection) {
      try {
        return await requests.startCall(callee, { mediaConnectionId: connection.id }, wish);
      } catch (error) {
        if (!requests.isProblem(error, "media-connection-gone") || !wish.isWanted()) throw error;
      }
    }
    // Nothing was dialled with the first key.
    const withOffer = { ...wish, idempotencyKey: requests.keyWithOffer(wish.idempotencyKey) };
    return openFresh((media) => requests.startCall(callee, media, withOffer));
  }

  function release(): void {
    releases += 1;
    callSid = null;
    if (!held.wantsWarm()) return held.drop();
    held.changed();
    // It may have been lost with the call.
    if (repair.replacing() === null) void held.warmUp();
  }

  return {
    callSid: () => callSid,
    isPending: () => pending > 0,
    start: ({ idempotencyKey, isWanted, onSent, ...callee }) =>
      whilePending(async () => {
        const started = await place(callee, { idempotencyKey, isWanted, onSent });
        callSid = started.callSid;
        return started;
      }),
    attach: (sid) => bring(sid, (media) => requests.attachCall(sid, media)),
    answer: (sid) => bring(sid, (media) => requests.answerCall(sid, media)),
    follow(report) {
      if (note(report) && pending === 0) applyReport(report);
    },
    release,
  } satisfies Partial<CallDriver> & { isPending: () => boolean };
}
