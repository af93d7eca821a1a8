import { clsx } from "clsx";
import { ChevronsDown, Delete, Phone, PhoneOff, Plus } from "lucide-react";
import type { ComponentProps } from "react";
import { buttonLook } from "../../ui/button.tsx";
import { useHangUp } from "../in-call/hang-up-button.tsx";

interface RowButtonProps extends ComponentProps<"button"> {
  label: string;
  tone: "quiet" | "call" | "end";
}

function RowButton({ label, tone, children, ...rest }: RowButtonProps) {
  return (
    <button
      type="button"
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
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
      <RowButton label="Plus sign" tone="quiet" onClick={onPlus}>
        <Plus aria-hidden="true" />
      </RowButton>
      <RowButton label="Call" tone="call" data-next-focus onClick={onCall}>
        <Phone aria-hidden="true" />
      </RowButton>
      <RowButton label="Backspace" tone="quiet" onClick={onBackspace}>
        <Delete aria-hidden="true" />
      </RowButton>
    </div>
  );
}

/** Sent digits can't be taken back. This row stays visible however small the page is. */
export function InCallRow({ onHide }: { onHide: () => void }) {
  const hangUp = useHangUp();
  return (
    <div className="sticky bottom-0 z-20 -mx-1 -my-1 grid grid-cols-3 gap-2 bg-panel px-1 py-1 max-md:bg-paper">
      <RowButton label="Hide" tone="quiet" onClick={onHide}>
        <ChevronsDown aria-hidden="true" />
      </RowButton>
      <RowButton label={hangUp.label} tone="end" {...hangUp.button}>
        <PhoneOff aria-hidden="true" />
      </RowButton>
      <RowButton label="Backspace" tone="quiet" disabled>
        <Delete aria-hidden="true" />
      </RowButton>
    </div>
  );
}
