import type { Call } from "@leadline/contract/calls";
import { Link } from "@tanstack/react-router";
import { Ellipsis, NotebookPen, Phone, User, UserPlus } from "lucide-react";
import { DoNotCallItem } from "../../../components/do-not-call-item.tsx";
import { leadName } from "../../../components/lead-name.ts";
import type { useDoNotCall } from "../../../components/use-do-not-call.ts";
import { useReadsOnly } from "../../../components/use-own-role.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { MessageItems } from "./call-message.tsx";
import { EndLeftCallItem } from "./left-call.tsx";

interface CallMenuProps {
  call: Call;
  who: string;
  again: string;
  /** Undefined while calling isn't possible. */
  onCallAgain: (() => void) | undefined;
  onNote: () => void;
  onEndLeft: () => void;
  onDeleteMessage: () => void;
  doNotCall: ReturnType<typeof useDoNotCall>;
}

export function CallMenu({
  call,
  who,
  again,
  onCallAgain,
  onNote,
  onEndLeft,
  onDeleteMessage,
  doNotCall,
}: CallMenuProps) {
  const withheld = call.phoneNumber === "";
  const readsOnly = useReadsOnly();
  // The menu would be empty.
  if (readsOnly && call.leads.length === 0) return null;
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for the call with ${who}`} size="small">
          <Ellipsis />
        </IconButton>
      }
    >
      {readsOnly ? null : (
        <>
          <MenuItem disabled={!onCallAgain} onSelect={onCallAgain}>
            <Phone aria-hidden="true" />
            {again}
          </MenuItem>
          <MenuItem onSelect={onNote}>
            <NotebookPen aria-hidden="true" />
            Note…
          </MenuItem>
          <EndLeftCallItem call={call} onSelect={onEndLeft} />
          {call.voicemail ? <MessageItems call={call} onDelete={onDeleteMessage} /> : null}
          {withheld ? null : <DoNotCallItem phoneNumber={call.phoneNumber} doNotCall={doNotCall} />}
          {call.leads.length === 0 && !withheld ? (
            <MenuItem asChild>
              <Link to="/leads/new" search={{ phone: call.phoneNumber }}>
                <UserPlus aria-hidden="true" />
                Add lead
              </Link>
            </MenuItem>
          ) : null}
        </>
      )}
      {call.leads.map((lead) => (
        <MenuItem key={lead.id} asChild>
          <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
            <User aria-hidden="true" />
            {call.leads.length === 1 ? "Open lead" : `Open ${leadName(lead)}`}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
