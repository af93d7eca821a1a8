import { PhoneOff } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { isConference } from "../call/two-calls.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** What every button that hangs up says and does, with its shortcut (use-call-keys.ts). */
export function useHangUp() {
  const phone = usePhone();
  const state = usePhoneState();
  const label = isConference(state) ? "End for all" : "Hang up";
  return {
    label,
    button: {
      title: `${label} (Shift+E)`,
      "aria-keyshortcuts": "Shift+E",
      disabled: state.hangingUp || state.phase === "abandoning",
      onClick: () => void phone.hangUp(),
    },
  };
}

export function HangUpButton({ className, size = "large" }: { className?: string; size?: "medium" | "large" }) {
  const { label, button } = useHangUp();
  return (
    <Button tone="end" size={size} {...(className !== undefined && { className })} {...button}>
      <PhoneOff aria-hidden="true" />
      {label}
    </Button>
  );
}
