import { useRouter } from "@tanstack/react-router";
import { isActive } from "./call/call-phase.ts";
import { fillPad } from "./numbers/fill-pad.ts";
import { usePhone, usePhoneState } from "./phone-context.ts";

/** Calls a number (E.164) from any page, and shows the phone. Null during a call. */
export function useCallNumber(): ((phoneNumber: string, leadId?: string) => void) | null {
  const phone = usePhone();
  const router = useRouter();
  if (isActive(usePhoneState().phase)) return null;
  return (phoneNumber, leadId) => {
    fillPad(phone, phoneNumber, leadId);
    void phone.start(phoneNumber, leadId);
    // On the Calls page, the current tab stays open.
    if (router.state.location.pathname !== "/calls") void router.navigate({ to: "/calls" });
  };
}
