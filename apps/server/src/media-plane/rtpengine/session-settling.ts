import { createStateApplier } from "./apply-desired-state.ts";
import { type DesiredState, desiredFor, initialState, type SessionRoom, talking } from "./desired-state.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import type { SessionState } from "./session-state.ts";

/** Makes an rtpengine block and play as its session's state and room say; changes are carried out one after the other. */
export function createSettling(
  state: SessionState,
  given: {
    ask: (command: string, given: NgRequest) => Promise<NgAnswer>;
    tags: () => { near: string; far: string };
    hasRelays: () => boolean;
  },
) {
  const apply = createStateApplier(given.ask, given.tags);
  /** Null for a session of an earlier process: it stays unchanged until the first room. */
  let room: SessionRoom | null = talking;
  /** Whether the far end's sender is unknown. */
  let isUnsure = false;
  let settling: Promise<unknown> = Promise.resolve();

  /** Null: leave it as it is. */
  function desiredNow(): DesiredState | null {
    if (given.hasRelays()) return initialState;
    if (!room) return null;
    const asked = desiredFor(state, room);
    return isUnsure ? { ...asked, blocksNear: true, blocksFar: true, playing: null } : asked;
  }

  function settleAs(wanted: () => DesiredState | null): Promise<void> {
    const next = settling.then(() => apply.fulfil(wanted()));
    settling = next.catch(() => {});
    return next;
  }

  const settle = (): Promise<void> => settleAs(desiredNow);

  return {
    settle,
    /** As without relays, before they are dismissed. */
    settleWithoutRelays: (): Promise<void> =>
      settleAs(() => ({ ...desiredFor(state, room ?? talking), playing: null })),
    settled: (): Promise<unknown> => settling,
    done: apply.done,
    note: apply.note,
    setRoom: (next: SessionRoom | null): void => void (room = next),
    setUnsure: (next: boolean): void => void (isUnsure = next),
    /** Retries what the rtpengine left unanswered. */
    async finish(): Promise<void> {
      const wanted = desiredNow();
      if (wanted && !apply.isDone(wanted)) await settle();
    },
    /** Removes a party that has left: its audio stops and its ports are free. Playback to it ends too (10.5). */
    async dismiss(tag: string): Promise<void> {
      await given.ask("delete", { "from-tag": tag, "delete-delay": 0 });
      apply.note({ playing: null });
      await settle();
    },
  };
}
export type Settling = ReturnType<typeof createSettling>;
