import { createInOrder } from "@leadline/adapter-kit/in-order";
import { createStateApplier } from "./apply-desired-state.ts";
import { type DesiredState, desiredFor, initialState, type SessionRoom, talking } from "./desired-state.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import type { SessionState } from "./session-state.ts";

/** Makes an rtpengine block and play as its session's state and room say; changes are carried out one after the other. */
export function createReconciler(
  state: SessionState,
  given: {
    ask: (command: string, given: NgRequest) => Promise<NgAnswer>;
    tags: () => { near: string; far: string };
    hasRelays: () => boolean;
  },
) {
  const applier = createStateApplier(given.ask, given.tags);
  /** Null for a session of an earlier process: it stays unchanged until the first room. */
  let room: SessionRoom | null = talking;
  /** Whether the far end's sender is unknown. */
  let isUnsure = false;
  const inOrder = createInOrder();

  /** Null: leave it as it is. */
  function desiredNow(): DesiredState | null {
    if (given.hasRelays()) return initialState;
    if (!room) return null;
    const asked = desiredFor(state, room);
    return isUnsure ? { ...asked, blocksNear: true, blocksFar: true, playing: null } : asked;
  }

  const reconcileTo = (wanted: () => DesiredState | null): Promise<void> => inOrder(() => applier.apply(wanted()));
  const reconcile = (): Promise<void> => reconcileTo(desiredNow);

  return {
    reconcile,
    /** As without relays, before they are dismissed. */
    reconcileWithoutRelays: (): Promise<void> =>
      reconcileTo(() => ({ ...desiredFor(state, room ?? talking), playing: null })),
    idle: (): Promise<void> => inOrder(async () => {}),
    done: applier.done,
    note: applier.note,
    setRoom: (next: SessionRoom | null): void => void (room = next),
    setUnsure: (next: boolean): void => void (isUnsure = next),
    /** Retries what the rtpengine left unanswered. */
    async finish(): Promise<void> {
      const wanted = desiredNow();
      if (wanted && !applier.isDone(wanted)) await reconcile();
    },
    /** Removes a party that has left: its audio stops and its ports are free. Playback to it ends too (10.5). */
    async dismiss(tag: string): Promise<void> {
      await given.ask("delete", { "from-tag": tag, "delete-delay": 0 });
      applier.note({ playing: null });
      await reconcile();
    },
  };
}
export type Reconciler = ReturnType<typeof createReconciler>;
