import type { LeadConflict } from "@leadline/contract/lead-conflicts";
import type { Lead } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { leadName } from "../../components/lead-name.ts";
import { LeadStatusBadge } from "../../components/lead-status-badge.tsx";
import { useTimes } from "../../components/use-times.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useConflict } from "./use-merges.ts";

/** Leads that share a number or an email. Choose one to keep, or say that they are different people. */
export function ConflictCard({ conflict }: { conflict: LeadConflict }) {
  const { kind, value, leads, count } = conflict;
  // Calls are logged in the kept lead's CRM record, so prefer a lead that has one.
  const preferred = leads.find(({ integrationId }) => integrationId !== null) ?? leads[0];
  const [keepId, setKeepId] = useState(preferred?.id);
  const { merging, separating } = useConflict(conflict);
  const busy = merging.isPending || separating.isPending;
  const refused = merging.error ?? separating.error;
  const title = kind === "phone" ? formatPhoneNumber(value) : value;
  const name = useId();
  const kept = leads.find(({ id }) => id === keepId) ?? preferred;
  return (
    <li className="rounded-md border border-line bg-panel">
      <fieldset>
        <legend className="contents">
          <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 pt-3">
            <span className="font-semibold break-all tabular-nums">{title}</span>
            <span className="text-table text-ink-soft">
              {count} leads share this {kind === "phone" ? "number" : "email"}
            </span>
          </span>
        </legend>
        <div className="mt-2">
          {leads.map((lead) => (
            <Choice key={lead.id} lead={lead} name={name} checked={lead.id === kept?.id} onChoose={setKeepId} />
          ))}
        </div>
      </fieldset>
      {refused ? <Notice className="mx-4 mb-3">{problemDetail(refused)}</Notice> : null}
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        <Button
          size="small"
          busy={merging.isPending}
          disabled={busy || !kept}
          aria-label={`Merge into ${kept ? leadName(kept) : ""}`}
          onClick={() => kept && merging.mutate(kept.id)}
        >
          Merge
        </Button>
        <Button
          tone="plain"
          size="small"
          busy={separating.isPending}
          disabled={busy}
          aria-label={`Keep separate, ${title}`}
          onClick={() => separating.mutate()}
        >
          Keep separate
        </Button>
        <p className="text-xs text-ink-soft">
          {count > leads.length
            ? `Merges the ${leads.length} that are shown into the chosen one.`
            : "Calls, notes, files and follow-ups move to the chosen lead."}
        </p>
      </div>
    </li>
  );
}

interface ChoiceProps {
  lead: Lead;
  /** The radio group's name. */
  name: string;
  checked: boolean;
  onChoose: (id: string) => void;
}

function Choice({ lead, name, checked, onChoose }: ChoiceProps) {
  const times = useTimes();
  const source = useQuery(integrationsQuery).data?.find(({ id }) => id === lead.integrationId)?.label;
  const from = lead.integrationId === null ? "Entered here" : (source ?? "From a CRM");
  return (
    <div className="flex items-start gap-3 px-4 py-2">
      <input
        type="radio"
        name={name}
        aria-label={`Keep ${leadName(lead)}, ${from}`}
        checked={checked}
        onChange={() => onChoose(lead.id)}
        className="mt-1 size-4 shrink-0 accent-brand"
      />
      <div className="min-w-0 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to="/leads/$leadId" params={{ leadId: lead.id }} dir="auto" className={`${textLinkLook} font-medium`}>
            {leadName(lead)}
          </Link>
          <LeadStatusBadge status={lead.status} />
          <span className="text-table text-ink-soft">{from}</span>
        </p>
        <p className="text-table break-words text-ink-soft">
          {[
            lead.company,
            lead.email,
            lead.phoneNumber ? formatPhoneNumber(lead.phoneNumber) : lead.phone,
            lead.lastCalledAt === null ? "Never called" : `Last call ${times.when(lead.lastCalledAt)}`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
    </div>
  );
}
