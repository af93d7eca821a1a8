import { useEffect } from "react";
import { typesText } from "../../components/types-text.ts";
import type { Phone } from "../call/create-phone.ts";
import { isActive } from "../call/call-phase.ts";
import { mayHold } from "../call/phone-state.ts";
import { usePhone } from "../phone-context.ts";
import { callNote } from "./call-note.ts";

/** Shift prevents a stray key from ending a call. */
const hangUpKey = "shift+e";

const actions: Record<string, (phone: Phone) => void> = {
  t: (phone) => phone.openTransfer(),
  m: (phone) => {
    const { call, muted } = phone.getState();
    if (call) void phone.setMuted(!muted);
  },
  h: (phone) => {
    const state = phone.getState();
    if (mayHold(state)) void phone.setHeld(!state.held);
  },
  n: () => callNote.want(),
  [hangUpKey]: (phone) => {
    if (!phone.getState().hangingUp) void phone.hangUp();
  },
};

/** The call's keyboard shortcuts, outside text fields: transfer, mute, hold, note, and with Shift hang up. */
export function useCallKeys(): void {
  const phone = usePhone();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { ctrlKey, metaKey, altKey, shiftKey, isComposing, target, defaultPrevented, repeat } = event;
      if (ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented || typesText(target)) return;
      const key = event.key.toLowerCase();
      const { phase } = phone.getState();
      const action = actions[shiftKey && key === "e" ? hangUpKey : key];
      if (!action || !(isActive(phase) || (key === "n" && phase === "ended"))) return;
      // Otherwise the letter would be typed into the field that opens.
      event.preventDefault();
      action(phone);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [phone]);
}
