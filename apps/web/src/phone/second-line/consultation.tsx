import { isUnderWay } from "@leadline/contract/call-transfer";
import type { Call } from "@leadline/contract/calls";
import { clsx } from "clsx";
import { ArrowLeftRight, Pause, PhoneOff, Users } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { holdLabel } from "../call/hold-label.ts";
import { waitingLabel } from "../call/phone-state.ts";
import { areBothAnswered } from "../call/two-calls.ts";
import { usePhone } from "../phone-context.ts";
import { ActionButton } from "./action-button.tsx";
import { FoldButton } from "./fold-button.tsx";
import { LinePanel } from "./line-panel.tsx";
import { useFold } from "./use-fold.ts";
import { useWho } from "./use-who.ts";

const stages: Partial<Record<Call["status"], string>> = { queued: "Calling…", ringing: "Ringing…" };

const stageOf = (other: Call): string =>
  other.waitsFor === null ? (holdLabel(other) ?? stages[other.status] ?? "In call") : waitingLabel(other.waitsFor);

interface ConsultationProps {
  call: Call;
  other: Call;
  folds: boolean;
  className?: string;
}

/** Who is on hold while the rep talks to someone else, and what can be done with the two. */
export function Consultation({ call, other, folds, className }: ConsultationProps) {
  const phone = usePhone();
  const nameOf = useWho();
  const who = nameOf(other);
  const there = areBothAnswered({ call, other });
  /** Leadline connects them on the answer, so nothing can be chosen. */
  const isTransfer = other.transfer !== null && isUnderWay(other.transfer);
  const { canFold, open, toggle } = useFold(folds);
  return (
    <LinePanel label="Other line" className={clsx(open ? "p-3" : "px-3 py-1", className)}>
      <div className="flex items-center gap-2">
        {canFold ? null : <Pause className="size-4 shrink-0 text-brass" aria-hidden="true" />}
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-semibold tabular-nums">{who}</p>
          <p className="text-table text-ink-soft">{stageOf(other)}</p>
        </div>
        <ActionButton tone="plain" size="small" disabled={!there} action={phone.swap}>
          <ArrowLeftRight aria-hidden="true" />
          Swap
        </ActionButton>
        <IconButton label={`Hang up on ${who}`} size="small" onClick={() => void phone.drop(other.callSid)}>
          <PhoneOff className="text-end" />
        </IconButton>
        {canFold && !isTransfer ? (
          <FoldButton open={open} onToggle={toggle} label={open ? "Hide options" : "Show options"} />
        ) : null}
      </div>
      {isTransfer ? (
        <p className="text-xs text-pretty text-ink-soft">
          {`When ${nameOf(call)} answers, they’re connected and you leave the call. Hang up on ${nameOf(call)} to take ${who} back.`}
        </p>
      ) : open ? (
        <>
          <div className="flex flex-wrap gap-2">
            <ActionButton className="flex-1 @lg:flex-none" disabled={!there} action={phone.completeTransfer}>
              Complete transfer
            </ActionButton>
            <ActionButton tone="plain" className="flex-1 @lg:flex-none" disabled={!there} action={phone.joinCalls}>
              <Users aria-hidden="true" />
              Merge calls
            </ActionButton>
          </div>
          <p className="text-xs text-pretty text-ink-soft">
            {there
              ? "Complete the transfer to leave them talking. Both calls are charged until they hang up."
              : `${who} is on hold. Hang up on ${nameOf(call)} to return.`}
          </p>
        </>
      ) : null}
    </LinePanel>
  );
}
