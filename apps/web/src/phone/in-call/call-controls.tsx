import { clsx } from "clsx";
import { Mic, MicOff, Pause, PhoneForwarded, Play, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { isBeingTransferred, mayHold, mayTransfer } from "../call/phone-state.ts";
import { canConsult, isConference } from "../call/two-calls.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

interface ControlProps {
  label: string;
  /** Active: pressing it again undoes it. */
  on?: boolean;
  disabled?: boolean;
  /** Less tall, for use above the keys. */
  compact?: boolean;
  /** The equivalent keyboard shortcut. */
  shortcut?: string;
  onClick: () => void;
  children: ReactNode;
}

export function Control({
  label,
  on = false,
  disabled = false,
  compact = false,
  shortcut,
  onClick,
  children,
}: ControlProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      title={shortcut ? `${label} (${shortcut})` : undefined}
      aria-keyshortcuts={shortcut}
      className={clsx(
        "flex flex-col items-center justify-center rounded-md border font-medium transition-colors disabled:opacity-55 [&_svg]:size-5",
        compact ? "h-[52px] gap-0.5 text-xs" : "h-[72px] gap-1.5 text-table",
        on ? "border-brass bg-brass-wash text-ink" : "border-line bg-panel hover:not-disabled:bg-sunk",
      )}
    >
      {children}
      {label}
    </button>
  );
}

interface Size {
  compact?: boolean;
}

export function MuteControl({ compact = false }: Size) {
  const phone = usePhone();
  const { muted, call } = usePhoneState();
  return (
    <Control
      label={muted ? "Unmute" : "Mute"}
      on={muted}
      disabled={!call}
      compact={compact}
      shortcut="M"
      onClick={() => void phone.setMuted(!muted)}
    >
      {muted ? <MicOff aria-hidden="true" /> : <Mic aria-hidden="true" />}
    </Control>
  );
}

/** For a call whose carrier supports hold; in a conference, each call has its own. */
export function HoldControl({ compact = false }: Size) {
  const phone = usePhone();
  const state = usePhoneState();
  if (!state.call?.canHold || isConference(state)) return null;
  return (
    <Control
      label={state.held ? "Resume" : "Hold"}
      on={state.held}
      disabled={!mayHold(state)}
      compact={compact}
      shortcut="H"
      onClick={() => void phone.setHeld(!state.held)}
    >
      {state.held ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
    </Control>
  );
}

export function TransferControl({ compact = false }: Size) {
  const phone = usePhone();
  const state = usePhoneState();
  const { call, other } = state;
  if (!(call?.canTransfer || call?.canHold) || other) return null;
  return (
    <Control
      label="Transfer"
      disabled={!mayTransfer(state)}
      compact={compact}
      shortcut="T"
      onClick={phone.openTransfer}
    >
      <PhoneForwarded aria-hidden="true" />
    </Control>
  );
}

/** Adds someone to the call, or lets the rep talk to them first. */
export function AddControl({ compact = false }: Size) {
  const phone = usePhone();
  const state = usePhoneState();
  if (!state.call?.canHold || state.other) return null;
  return (
    <Control
      label="Add"
      disabled={!canConsult(state) || isBeingTransferred(state)}
      compact={compact}
      onClick={phone.openAdd}
    >
      <UserPlus aria-hidden="true" />
    </Control>
  );
}
