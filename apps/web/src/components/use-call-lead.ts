import type { Lead } from "@leadline/contract/leads";
import { isActive } from "../phone/call/call-phase.ts";
import { fillPad } from "../phone/call/fill-pad.ts";
import { usePhone, usePhoneState } from "../phone/phone-context.ts";

/** Calls a lead without leaving the page; the call bar appears below it. */
export function useCallLead(): { callLead: (lead: Pick<Lead, "id" | "phoneNumber">) => void; busy: boolean } {
  const phone = usePhone();
  const busy = isActive(usePhoneState().phase);
  return {
    busy,
    callLead({ id, phoneNumber }) {
      if (busy || phoneNumber === null) return;
      fillPad(phone, phoneNumber, id);
      void phone.start(phoneNumber, id);
    },
  };
}
