import { isOpenAt } from "@leadline/contract/opening-hours";
import type { PhoneState } from "./phone-state.ts";

export interface StartOptions {
  /** The person has been asked already. */
  outsideHours?: boolean;
  /** A test call, through this carrier. */
  carrierId?: string;
}

type Start = (phoneNumber: string, leadId: string | undefined, options: { outsideHours: true }) => Promise<void>;

interface Parts {
  state: () => PhoneState;
  set: (news: Partial<PhoneState>) => void;
  start: Start;
}

/** Outside the organisation's opening hours a call is placed only once the person has confirmed it. */
export function createOutsideHours({ state, set, start }: Parts) {
  let hours: Parameters<typeof isOpenAt>[0] | null = null;
  return {
    /** Whether the person is asked, and the call waits for the answer. */
    asks(phoneNumber: string, leadId: string | undefined): boolean {
      if (hours === null || isOpenAt(hours, new Date())) return false;
      set({ asksOutsideHours: { phoneNumber, leadId } });
      return true;
    },
    setOpeningHours(next: typeof hours): void {
      hours = next;
    },
    async callOutsideHours(answer: "call" | "leave"): Promise<void> {
      const asked = state().asksOutsideHours;
      set({ asksOutsideHours: null });
      if (asked && answer === "call") await start(asked.phoneNumber, asked.leadId, { outsideHours: true });
    },
  };
}
