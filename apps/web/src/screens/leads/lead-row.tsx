import type { Lead } from "@leadline/contract/leads";
import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Eye, Pencil, Phone, Trash2 } from "lucide-react";
import { memo, type MouseEvent } from "react";
import { DoNotCallMark } from "../../components/do-not-call-badge.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { leadName } from "../../components/lead-name.ts";
import { LeadStatusBadge } from "../../components/lead-status-badge.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { useCallLead } from "../../components/use-call-lead.ts";
import { CheckboxAlone } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";
import { TableCell, TableRow } from "../../ui/table.tsx";
import { columnOf, type LeadColumnKey } from "./lead-columns.tsx";

interface LeadRowProps {
  lead: Lead;
  columns: readonly LeadColumnKey[];
  /** On phones a lead takes two lines: the name, then number and status. */
  wide: boolean;
  selected: boolean;
  onSelect: (id: string, on: boolean) => void;
  /** In the whole table, counting from 1 for the header. */
  rowIndex: number;
  onEdit: (lead: Lead) => void;
  onDelete: (lead: Lead) => void;
}

/** Scrolling renders the table every frame: unchanged rows aren't rendered again. */
export const LeadRow = memo(function LeadRow({
  lead,
  columns,
  wide,
  selected,
  onSelect,
  rowIndex,
  onEdit,
  onDelete,
}: LeadRowProps) {
  const { callLead, busy } = useCallLead();
  const readsOnly = useReadsOnly();
  const name = leadName(lead);
  const number = lead.phoneNumber ? formatPhoneNumber(lead.phoneNumber) : lead.phone;
  const navigate = useNavigate();
  /** The name is a link for keyboard users. A click anywhere on the row opens the lead too. */
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    // A menu renders elsewhere on the page.
    const isOnRow = target instanceof Element && currentTarget.contains(target);
    if (!isOnRow || target.closest("a, button, input, label") || getSelection()?.type === "Range") return;
    void navigate({ to: "/leads/$leadId", params: { leadId: lead.id } });
  };
  const mayCall = !busy && lead.phoneNumber !== null && !lead.doNotCall;
  const choice = readsOnly ? null : (
    <CheckboxAlone label={`Choose ${name}`} checked={selected} onChange={(on) => onSelect(lead.id, on)} />
  );
  return (
    <TableRow
      aria-rowindex={rowIndex}
      aria-selected={selected}
      className={clsx("cursor-pointer", selected && "bg-brass-wash")}
      onClick={open}
    >
      {wide ? (
        columns.map((key) => (
          <TableCell key={key} dir="auto" className={clsx("truncate", columnOf(key).className)}>
            {key === "id" ? (
              <span className="flex items-center gap-2.5">
                {choice}
                {columnOf(key).cell(lead)}
              </span>
            ) : (
              columnOf(key).cell(lead)
            )}
          </TableCell>
        ))
      ) : (
        <TableCell className="py-2">
          {choice && <span className="float-left mt-1 mr-3">{choice}</span>}
          <Link
            to="/leads/$leadId"
            params={{ leadId: lead.id }}
            dir="auto"
            className="block truncate text-left rounded-[4px] text-sm font-medium hover:underline"
          >
            {name}
          </Link>
          <span className="flex h-6 items-center gap-2">
            {lead.doNotCall ? <DoNotCallMark /> : <LeadStatusBadge status={lead.status} />}
            <span className="truncate text-ink-soft tabular-nums">{number}</span>
          </span>
        </TableCell>
      )}
      <TableCell align="right">
        <span className="inline-flex justify-end gap-0.5">
          {readsOnly ? null : (
            <>
              <IconButton
                label={lead.doNotCall ? `${name} must not be called` : `Call ${name}`}
                size="small"
                disabled={!mayCall}
                className="text-call"
                onClick={() => callLead(lead)}
              >
                <Phone />
              </IconButton>
              <RowMenu of={name}>
                <MenuItem asChild>
                  <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
                    <Eye aria-hidden="true" /> View
                  </Link>
                </MenuItem>
                <MenuItem disabled={!mayCall} onSelect={() => callLead(lead)}>
                  <Phone aria-hidden="true" /> Call
                </MenuItem>
                <MenuItem onSelect={() => onEdit(lead)}>
                  <Pencil aria-hidden="true" /> Edit
                </MenuItem>
                <MenuSeparator />
                <MenuItem className="text-fault" onSelect={() => onDelete(lead)}>
                  <Trash2 aria-hidden="true" /> Delete
                </MenuItem>
              </RowMenu>
            </>
          )}
        </span>
      </TableCell>
    </TableRow>
  );
});
