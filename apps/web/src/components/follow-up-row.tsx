import type { FollowUp } from "@leadline/contract/follow-ups";
import { Link } from "@tanstack/react-router";
import { Phone } from "lucide-react";
import type { ReactNode } from "react";
import { useFormattedNumber } from "../phone/numbers/use-formatted-number.ts";
import { useCallNumber } from "../phone/use-call-number.ts";
import { Button } from "../ui/button.tsx";
import { FollowUpLabel } from "./follow-up-label.tsx";
import { leadName } from "./lead-name.ts";
import { useReadsOnly } from "./use-own-role.ts";

interface FollowUpRowProps {
  followUp: FollowUp;
  onCall?: () => void;
  /** Next to the call button. */
  children?: ReactNode;
}

/**
 * If several leads share the number: one of them, and how many others; for an unknown caller `number`, as formatted.
 */
export function followUpName({ lead, leads }: Pick<FollowUp, "lead" | "leads">, number: string): string {
  if (lead) return leadName(lead);
  const [first, second, ...others] = leads;
  if (first && second)
    return `${leadName(first)} or ${others.length === 0 ? leadName(second) : `${leads.length - 1} others`}`;
  return number;
}

/** Whom to call back, since when, and the last call's outcome and note, with a call button. */
export function FollowUpRow({ followUp, onCall, children }: FollowUpRowProps) {
  const call = useCallNumber();
  const readsOnly = useReadsOnly();
  const { lead, leads, phoneNumber, lastCall, note } = followUp;
  const shown = useFormattedNumber(phoneNumber ?? "");
  const name = followUpName(followUp, shown);
  const number = phoneNumber === null ? (lead?.phone ?? "") : shown;
  const left = [lastCall?.outcomeName, note].filter(Boolean).join(" · ");
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {lead ? (
            <Link
              to="/leads/$leadId"
              params={{ leadId: lead.id }}
              className="max-w-full truncate rounded-[4px] text-sm font-medium hover:underline"
            >
              {name}
            </Link>
          ) : (
            <span className="max-w-full truncate text-sm font-medium tabular-nums">{name}</span>
          )}
          <FollowUpLabel followUp={followUp} className="shrink-0 text-xs" />
        </p>
        <p className="truncate text-xs text-ink-soft tabular-nums">
          {left || (lead || leads.length > 0 ? number : "No note")}
        </p>
      </div>
      {readsOnly ? null : (
        <Button
          tone="plain"
          size="small"
          disabled={!call || phoneNumber === null}
          aria-label={`Call ${name}`}
          onClick={() => {
            onCall?.();
            if (phoneNumber !== null) call?.(phoneNumber, lead?.id);
          }}
        >
          <Phone aria-hidden="true" className="text-call" />
          Call
        </Button>
      )}
      {children}
    </>
  );
}
