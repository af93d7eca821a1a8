import type { Call } from "@leadline/contract/calls";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { textLinkLook } from "../../../components/auth-card.tsx";
import { DoNotCallBadge } from "../../../components/do-not-call-badge.tsx";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { leadName } from "../../../components/lead-name.ts";
import { leadsLabel } from "../../../components/lead-names.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

interface PersonHeadingProps {
  phoneNumber: string;
  /** Null until loaded. */
  leads: Call["leads"] | null;
}

/** Who the number belongs to: one lead, several or none. */
export function PersonHeading({ phoneNumber, leads }: PersonHeadingProps) {
  const number = formatPhoneNumber(phoneNumber);
  if (leads === null || leads.length === 0)
    return (
      <div>
        <h2 className="text-title font-semibold tabular-nums">{number}</h2>
        <DoNotCallBadge phoneNumber={phoneNumber} />
        {leads === null ? (
          <Skeleton className="mt-1 w-28" />
        ) : (
          <p className="text-ink-soft">
            No lead has this number.{" "}
            <Link to="/leads/new" search={{ phone: phoneNumber }} className={textLinkLook}>
              Add lead
            </Link>
          </p>
        )}
      </div>
    );
  return (
    <div className="min-w-0">
      <h2 className={leads.length === 1 ? "sr-only" : "mb-1 text-table text-ink-soft"}>
        {leads.length === 1 ? "Lead" : `${leadsLabel(leads.length)} this number`}
      </h2>
      <ul className="flex flex-col gap-1">
        {leads.map(({ id, firstName, lastName, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              to="/leads/$leadId"
              params={{ leadId: id }}
              className={clsx(
                "rounded-[4px] font-semibold hover:underline",
                leads.length === 1 ? "text-title" : "text-sm",
              )}
            >
              {leadName({ firstName, lastName })}
            </Link>
            <Badge>{status}</Badge>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-2 text-ink-soft tabular-nums">
        {number} <DoNotCallBadge phoneNumber={phoneNumber} />
      </p>
    </div>
  );
}
