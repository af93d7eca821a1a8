import { startTopUp } from "@leadline/contract/top-ups";
import type { NumberRenewals } from "@leadline/contract/phone-numbers";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { billingSummaryQuery, numberRenewalsQuery } from "../../data/billing-query.ts";
import { textLinkLook } from "../auth-card.tsx";
import { dateLabel } from "../due-label.ts";
import { formatMicros } from "../format-money.ts";
import { formatPhoneNumber } from "../format-phone-number.ts";
import { may } from "../may.ts";
import { useToday } from "../use-day.ts";
import { useOwnRole } from "../use-own-role.ts";

/** On every page, for those who can top up: numbers whose next renewal the balance doesn't cover. */
export function RenewalBanner() {
  const today = useToday();
  const mayTopUp = may(useOwnRole(), startTopUp);
  const isPrepaid = useQuery({ ...billingSummaryQuery, enabled: mayTopUp }).data?.mode === "prepaid";
  const renewals = useQuery({ ...numberRenewalsQuery, enabled: mayTopUp && isPrepaid }).data;
  const sentence = mayTopUp && isPrepaid && renewals ? sentenceOf(renewals, today) : null;
  if (sentence === null) return null;
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-2 gap-y-0.5 border-b border-brass/40 bg-brass-wash px-4 py-1.5 text-sm text-pretty"
    >
      <CircleAlert className="size-4 shrink-0 text-brass" aria-hidden="true" />
      <span>{sentence}</span>
      <Link to="/settings/billing" className={textLinkLook}>
        Top up
      </Link>
    </p>
  );
}

function sentenceOf({ renewals, dueSoon }: NumberRenewals, today: string): string | null {
  const unpaid = renewals.filter(({ releaseOn }) => releaseOn !== null);
  const [first] = unpaid;
  if (first?.releaseOn)
    return unpaid.length === 1
      ? `${formatPhoneNumber(first.number)} isn’t paid and will be released on ${dateLabel(first.releaseOn, today)}.`
      : `${unpaid.length} phone numbers aren’t paid. The first will be released on ${dateLabel(first.releaseOn, today)}.`;
  const [next] = renewals;
  if (!next || dueSoon.micros === 0 || dueSoon.isCovered) return null;
  return `Phone numbers renew from ${dateLabel(next.renewsOn, today)} on for ${formatMicros(dueSoon.micros)}, which your balance doesn’t cover.`;
}
