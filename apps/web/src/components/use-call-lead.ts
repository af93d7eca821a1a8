import type { Lead } from "@leadline/contract/leads";
import { isActive } from "../phone/call/call-phase.ts";
import { formatAsTyped } from "../phone/numbers/format-number.ts";
import { usePhone, usePhoneState } from "../phone/phone-provider.tsx";

/** Calls a lead where the page stands; the call's bar appears below it. */
export function useCallLead(): { callLead: (lead: Pick<Lead, "phone" | "phoneNumber">) => void; busy: boolean } {
  const phone = usePhone();
  const busy = isActive(usePhoneState().phase);
  return {
    busy,
    callLead({ phone: written, phoneNumber }) {
      if (busy) return;
      const number = phoneNumber ?? written;
      phone.setPadText(formatAsTyped(number));
      void phone.start(number);
    },
  };
}
