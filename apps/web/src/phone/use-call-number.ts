import { useRouter } from "@tanstack/react-router";
import { isActive } from "./call/call-phase.ts";
import { fillPad } from "./numbers/fill-pad.ts";
import { usePhone, usePhoneState } from "./phone-context.ts";

/** Calls a number (E.164) from wherever the person is, and shows the phone. Null while a call is on. */
export function useCallNumber(): ((phoneNumber: string, leadId?: string) => void) | null {
  const phone = usePhone();
  const router = useRouter();
  if (isActive(usePhoneState().phase)) return null;
  return (phoneNumber, leadId) => {
    fillPad(phone, phoneNumber, leadId);
    void phone.start(phoneNumber, leadId);
    // Who is there keeps the tab that they are working through.
    if (router.state.location.pathname !== "/calls") void router.navigate({ to: "/calls" });
  };
}
