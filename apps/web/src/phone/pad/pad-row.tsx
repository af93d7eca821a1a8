import { clsx } from "clsx";
import { ChevronsDown, Delete, Phone, PhoneOff, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { buttonLook } from "../../ui/button.tsx";

interface RowButtonProps {
  label: string;
  tone: "quiet" | "call" | "end";
  disabled?: boolean;
  onPress?: () => void;
  children: ReactNode;
}

function RowButton({ label, tone, disabled = false, onPress, children }: RowButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={clsx(
        buttonLook({ tone }),
        "h-[52px] max-md:h-[clamp(48px,8.4dvh,76px)] flex-col gap-0.5 px-0 text-xs [&_svg]:size-5",
        tone === "quiet" && "text-ink-soft hover:text-ink",
      )}
    >
      {children}
      {label}
    </button>
  );
}

interface IdleRowProps {
  onPlus: () => void;
  onCall: () => void;
  onBackspace: () => void;
}

export function IdleRow({ onPlus, onCall, onBackspace }: IdleRowProps) {
  return (
    <div className="grid grid-cols-3 gap-2">
      <RowButton label="Plus sign" tone="quiet" onPress={onPlus}>
        <Plus aria-hidden="true" />
      </RowButton>
      <RowButton label="Call" tone="call" onPress={onCall}>
        <Phone aria-hidden="true" />
      </RowButton>
      <RowButton label="Backspace" tone="quiet" onPress={onBackspace}>
        <Delete aria-hidden="true" />
      </RowButton>
    </div>
  );
}

interface InCallRowProps {
  isConference: boolean;
  onHide: () => void;
  onHangUp: () => void;
  hangingUp: boolean;
}

/** Keys that were sent cannot be taken back. However little of the page is seen, this row of it is. */
export function InCallRow({ isConference, onHide, onHangUp, hangingUp }: InCallRowProps) {
  return (
    <div className="sticky bottom-0 z-20 -mx-1 -my-1 grid grid-cols-3 gap-2 bg-panel px-1 py-1 max-md:bg-paper">
      <RowButton label="Hide" tone="quiet" onPress={onHide}>
        <ChevronsDown aria-hidden="true" />
      </RowButton>
      <RowButton label={isConference ? "End for all" : "Hang up"} tone="end" disabled={hangingUp} onPress={onHangUp}>
        <PhoneOff aria-hidden="true" />
      </RowButton>
      <RowButton label="Backspace" tone="quiet" disabled>
        <Delete aria-hidden="true" />
      </RowButton>
    </div>
  );
}
