import { askWhenClosed } from "./ask-when-closed.ts";
import { canConsult } from "./two-calls.ts";
import { type Callee, type Colleague, takeBackCall, transferCall } from "../../data/call-requests.ts";
import { messageFor } from "./start-failure.ts";
import { mayTransfer } from "./phone-state.ts";
import type { PhoneStore } from "./phone-store.ts";
import type { ApplyUpdate } from "./apply-call-update.ts";

/** Transfers of the call. */
export const createTransfer = ({ state, set }: PhoneStore, applyUpdate: ApplyUpdate) => ({
  /** Opens the transfer dialog, if the call can be transferred now. */
  openTransfer: (): void => set({ transferOpen: mayTransfer(state()) ? "transfer" : null }),
  /** The same dialog, to add a second line. */
  openAdd: (): void => set({ transferOpen: canConsult(state()) ? "add" : null }),
  closeTransfer: (): void => set({ transferOpen: null }),
  /** Throws if the server refuses. */
  async transfer(to: Callee | Colleague): Promise<void> {
    const { call } = state();
    if (!call) return;
    const send = async (where: Callee | Colleague): Promise<void> => {
      applyUpdate(await transferCall(call.callSid, where));
      set({ transferOpen: null });
    };
    await ("userId" in to ? send(to) : askWhenClosed({ set }, to, send));
  },
  /** From the teammate whom it rings for. */
  async takeBack(): Promise<void> {
    const { call } = state();
    if (!call) return;
    set({ trouble: null });
    await takeBackCall(call.callSid).catch((error: unknown) => set({ trouble: messageFor(error) }));
  },
  readTransfer: (): void => set({ transferRead: true, leftOther: null }),
});
