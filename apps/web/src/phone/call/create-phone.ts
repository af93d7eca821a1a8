import { createIncoming } from "./create-incoming.ts";
import { createSecondLine } from "./create-second-line.ts";
import { createTransfer } from "./create-transfer.ts";
import { type AudioParts, createCallAudio } from "./call-audio.ts";
import { nextPhase } from "./call-phase.ts";
import { createControls } from "./create-controls.ts";
import { createKeys } from "./create-keys.ts";
import { createStart } from "./create-start.ts";
import { createPhoneStore } from "./phone-store.ts";
import type { PhoneState } from "./phone-state.ts";
import { readLiveCalls } from "./read-live-calls.ts";
import { createCallUpdates } from "./apply-call-update.ts";
import { isOnLine } from "./two-calls.ts";

const leftCause = { reason: "left", sip: null, q850: 16 } as const;

/** The one call on this page: actions are sent to the server, and the server's state is shown. */
export function createPhone(parts: AudioParts) {
  const { driver, devices, sounds } = parts;
  const store = createPhoneStore();
  const { state, set, move, isOwn } = store;
  const incoming = createIncoming(() => state().userId);
  const audio = createCallAudio(store, parts);
  const applyUpdate = createCallUpdates(store, { ...parts, ...audio, incoming });

  /** Asks the server for the user's live call: on load, and after missed events. */
  const loadLiveCall = (): Promise<void> =>
    readLiveCalls({ applyUpdate, onAll: incoming.reading(), isOwn, shown: () => [state().call, state().other] });

  const { hangUpCall, ...controls } = createControls(store, { ...parts, ...audio, applyUpdate, loadLiveCall });

  return {
    getState: state,
    subscribe: store.subscribe,
    devices,
    driver,
    sounds,
    incoming,
    applyUpdate,
    loadLiveCall,
    ...createStart(store, { ...parts, ...audio, applyUpdate, loadLiveCall, hangUpCall }),
    ...controls,
    ...createKeys(store),
    ...createTransfer(store, applyUpdate),
    ...createSecondLine(store, applyUpdate, sounds.dialing),
    setUser: (userId: string | null): void => set({ userId }),
    /** The user has left the organisation: the server has ended their calls and sends no more events. */
    leave(): void {
      const endedAt = new Date().toISOString();
      for (const call of [state().other, state().call])
        if (call && isOnLine(call)) applyUpdate({ ...call, status: "completed", endedAt, cause: leftCause });
    },
    setPadText(padText: string, padLeadId?: string): void {
      const phase = nextPhase(state().phase, "dismissed");
      set({ phase, padText, padLeadId, ...(padText === "" && { extension: "" }) });
    },
    show: (screen: PhoneState["screen"]): void => set({ screen }),
    dismiss: (): void => move("dismissed"),
    clearStartFailure: (): void => set({ startFailure: null }),
    /** Call it from a click: the browser then allows playback. */
    resumePlayback: (): void => driver.resumeSound(),
  };
}
export type Phone = ReturnType<typeof createPhone>;
