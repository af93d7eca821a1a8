import type { Lead, LeadSort } from "@leadline/contract/leads";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CopyableId } from "../../components/copyable-id.tsx";
import { DoNotCallMark } from "../../components/do-not-call-badge.tsx";
import { FollowUpLabel } from "../../components/follow-up-label.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { LeadStatusBadge } from "../../components/lead-status-badge.tsx";
import { useTimes } from "../../components/use-times.ts";

interface LeadColumn {
  head: string;
  /** In pixels. If they don't fit, the table scrolls sideways. */
  width: number;
  className?: string;
  /** The sorts of its header, in the order of clicks. */
  sorts?: readonly LeadSort[];
  cell: (lead: Lead) => ReactNode;
}

const None = () => <span className="text-ink-soft">–</span>;

export const leadColumns = {
  id: { head: "ID", width: 132, cell: (lead) => <CopyableId id={lead.id} /> },
  firstName: {
    head: "First name",
    width: 120,
    className: "font-medium",
    cell: (lead) => (
      <Link to="/leads/$leadId" params={{ leadId: lead.id }} className="rounded-[4px] hover:underline">
        {lead.firstName || <None />}
      </Link>
    ),
  },
  lastName: {
    head: "Last name",
    width: 126,
    className: "font-medium",
    sorts: ["name", "-name"],
    cell: (lead) => lead.lastName,
  },
  company: { head: "Company", width: 170, sorts: ["company", "-company"], cell: (lead) => lead.company || <None /> },
  jobTitle: {
    head: "Job title",
    width: 150,
    sorts: ["jobTitle", "-jobTitle"],
    cell: (lead) => lead.jobTitle || <None />,
  },
  email: {
    head: "Email",
    width: 200,
    className: "text-ink-soft",
    sorts: ["email", "-email"],
    cell: (lead) => lead.email,
  },
  phone: {
    head: "Phone",
    width: 152,
    className: "tabular-nums",
    sorts: ["phone", "-phone"],
    cell: (lead) => (
      <span title={lead.phone}>{lead.phoneNumber ? formatPhoneNumber(lead.phoneNumber) : lead.phone}</span>
    ),
  },
  status: {
    head: "Status",
    width: 124,
    sorts: ["status", "-status"],
    cell: (lead) => (lead.doNotCall ? <DoNotCallMark /> : <LeadStatusBadge status={lead.status} />),
  },
  owner: { head: "Owner", width: 140, sorts: ["owner", "-owner"], cell: (lead) => lead.owner?.name ?? <None /> },
  lastCall: {
    head: "Last call",
    width: 120,
    sorts: ["-lastCall", "lastCall"],
    cell: (lead) => <LastCall at={lead.lastCalledAt} />,
  },
  nextStep: {
    head: "Next step",
    width: 200,
    sorts: ["nextStep", "-nextStep"],
    cell: (lead) => lead.nextStep || <None />,
  },
  followUp: {
    head: "Follow-up",
    width: 200,
    sorts: ["followUp"],
    cell: (lead) => (lead.followUpOn === null ? <None /> : <FollowUpLabel followUp={lead} />),
  },
} as const satisfies Record<string, LeadColumn>;

export type LeadColumnKey = keyof typeof leadColumns;

/** Columns that every list has. Others can be added. */
export const fixedColumns: readonly LeadColumnKey[] = ["id", "firstName", "lastName", "email", "phone", "status"];
export const optionalColumns = (Object.keys(leadColumns) as LeadColumnKey[]).filter(
  (key) => !fixedColumns.includes(key),
);

export const columnOf = (key: LeadColumnKey): LeadColumn => leadColumns[key];

export const actionsWidth = 96;

function LastCall({ at }: { at: string | null }) {
  const times = useTimes();
  if (at === null) return <span className="text-ink-soft">Never</span>;
  return (
    <time dateTime={at} title={times.full(at)}>
      {times.when(at)}
    </time>
  );
}
