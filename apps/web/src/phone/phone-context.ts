import { createContext, useContext, useSyncExternalStore } from "react";
import type { Phone } from "./call/create-phone.ts";
import type { PhoneState } from "./call/phone-state.ts";
import type { DevicesState } from "./microphone/create-devices.ts";

/** Set by PhoneProvider; tests set a phone of their own. */
export const PhoneContext = createContext<Phone | null>(null);

export function usePhone(): Phone {
  const phone = useContext(PhoneContext);
  if (!phone) throw new Error("The phone is used outside PhoneProvider.");
  return phone;
}

export function usePhoneState(): PhoneState {
  const phone = usePhone();
  return useSyncExternalStore(phone.subscribe, phone.getState);
}

export function useDevices(): DevicesState {
  const { devices } = usePhone();
  return useSyncExternalStore(devices.subscribe, devices.getState);
}
