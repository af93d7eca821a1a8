import { clsx } from "clsx";
import { Grid3x3, Mic, MicOff, Pause, PhoneForwarded, PhoneOff, Play, Settings, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { usePhone, usePhoneState } from "../phone-provider.tsx";
import { isBeingTransferred } from "../call/phone-state.ts";
import { canConsult, isConference } from "../call/two-calls.ts";
import { mayTransfer } from "../transfer/create-transfer.ts";
import { CallHeading } from "./call-heading.tsx";
import { CallTroubles } from "./call-troubles.tsx";

interface ControlProps {
  label: string;
  /** It is on: pressing undoes it. */
  on?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Control({ label, on = false, disabled = false, onClick, children }: ControlProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={clsx(
        "flex h-[72px] flex-col items-center justify-center gap-1.5 rounded-md border text-table font-medium transition-colors disabled:opacity-55 [&_svg]:size-5",
        on ? "border-brass bg-brass-wash text-ink" : "border-line bg-panel hover:bg-sunk",
      )}
    >
      {children}
      {label}
    </button>
  );
}

/** The call's controls; hanging up is set apart. */
export function ActiveCallScreen({ onSettings }: { onSettings: () => void }) {
  const phone = usePhone();
  const state = usePhoneState();
  const { call } = state;
  const answered = call?.status === "in-progress";
  const conference = isConference(state);
  return (
    <div className="flex flex-col gap-5 pt-3">
      <CallHeading />
      <CallTroubles />
      <div className="grid grid-cols-2 gap-2 has-[>:nth-child(3)]:grid-cols-6 has-[>:nth-child(3)]:*:col-span-2 has-[>:nth-child(4):last-child]:*:col-span-3 has-[>:nth-child(5):last-child]:*:nth-[n+4]:col-span-3">
        <Control
          label={state.muted ? "Unmute" : "Mute"}
          on={state.muted}
          disabled={!state.call}
          onClick={() => void phone.setMuted(!state.muted)}
        >
          {state.muted ? <MicOff aria-hidden="true" /> : <Mic aria-hidden="true" />}
        </Control>
        <Control label="Keypad" onClick={() => phone.show("keypad")}>
          <Grid3x3 aria-hidden="true" />
        </Control>
        {call?.canHold && !conference ? (
          <Control
            label={state.held ? "Resume" : "Hold"}
            on={state.held}
            disabled={!answered || isBeingTransferred(state)}
            onClick={() => void phone.setHeld(!state.held)}
          >
            {state.held ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          </Control>
        ) : null}
        {(call?.canTransfer || call?.canHold) && !state.other ? (
          <Control label="Transfer" disabled={!mayTransfer(state)} onClick={phone.openTransfer}>
            <PhoneForwarded aria-hidden="true" />
          </Control>
        ) : null}
        {call?.canHold && !state.other ? (
          <Control label="Add" disabled={!canConsult(state) || isBeingTransferred(state)} onClick={phone.openAdd}>
            <UserPlus aria-hidden="true" />
          </Control>
        ) : null}
        <Control label="Settings" onClick={onSettings}>
          <Settings aria-hidden="true" />
        </Control>
      </div>
      <Button
        tone="end"
        size="large"
        className="mt-6 w-full"
        disabled={state.hangingUp || state.phase === "abandoning"}
        onClick={() => void phone.hangUp()}
      >
        <PhoneOff aria-hidden="true" />
        {conference ? "End for all" : "Hang up"}
      </Button>
    </div>
  );
}
