import { useNavigate } from "@tanstack/react-router";
import { isActive } from "./call/call-phase.ts";
import { formatAsTyped } from "./numbers/format-number.ts";
import { usePhone, usePhoneState } from "./phone-provider.tsx";

/** Calls a number (E.164) from wherever the person is, and shows the phone. Null while a call is on. */
export function useCallNumber(): ((phoneNumber: string, leadId?: string) => void) | null {
  const phone = usePhone();
  const navigate = useNavigate();
  if (isActive(usePhoneState().phase)) return null;
  return (phoneNumber, leadId) => {
    phone.setPadText(formatAsTyped(phoneNumber), leadId);
    void phone.start(phoneNumber, leadId);
    void navigate({ to: "/calls" });
  };
}
