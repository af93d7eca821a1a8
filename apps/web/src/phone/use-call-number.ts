import { useRouter } from "@tanstack/react-router";
import { useReadsOnly } from "../components/use-own-role.ts";
import { isActive } from "./call/call-phase.ts";
import { fillPad } from "./call/fill-pad.ts";
import { usePhone, usePhoneState } from "./phone-context.ts";

/** Calls a number (E.164) from any page, and shows the phone. Null during a call, and for an analyst. */
export function useCallNumber(): ((phoneNumber: string, leadId?: string) => void) | null {
  const phone = usePhone();
  const router = useRouter();
  const readsOnly = useReadsOnly();
  if (isActive(usePhoneState().phase) || readsOnly) return null;
  return (phoneNumber, leadId) => {
    fillPad(phone, phoneNumber, leadId);
    void phone.start(phoneNumber, leadId);
    // On the Calls page, the current tab stays open.
    if (router.state.location.pathname !== "/calls") void router.navigate({ to: "/calls" });
  };
}
