import { isSearch } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleHelp, LogOut, Phone, Plus, User } from "lucide-react";
import { useState } from "react";
import { contactsQuery } from "../../data/contacts-query.ts";
import { recentCallsQuery } from "../../data/calls-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { dialableOf } from "../../phone/numbers/dialable-characters.ts";
import { leadName } from "../lead-name.ts";
import { useReadsOnly } from "../use-own-role.ts";
import { useDebounced } from "../use-debounced.ts";
import { formatPhoneNumber } from "../format-phone-number.ts";
import { toE164 } from "../../phone/numbers/format-number.ts";
import { useCallNumber } from "../../phone/use-call-number.ts";
import { CommandDialog, CommandGroup, CommandItem } from "../../ui/command-dialog.tsx";
import { useNavigation } from "../layout/navigation.ts";

interface CommandPaletteProps {
  onClose: () => void;
  onShowShortcuts: () => void;
}

const recentlyShown = 5;
const leadsShown = 5;

export function CommandPalette({ onClose, onShowShortcuts }: CommandPaletteProps) {
  const screens = useNavigation();
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const { inOrganisation, callNumber } = useCallNumberInOrganisation();
  const typed = numberIn(text);
  const recent = useRecentNumbers().filter((number) => number !== typed);
  const leads = useFoundLeads(text);
  const finish = (action: () => unknown) => () => {
    onClose();
    void action();
  };
  return (
    <CommandDialog
      open
      onOpenChange={onClose}
      label="Go to a screen, find a lead or call a number"
      placeholder="Find a screen or a lead, or type a number"
      text={text}
      onText={setText}
      empty={
        leads.searching
          ? "Searching your leads…"
          : "No results. Type part of a screen’s name, a lead’s name, email or phone, or a number to call."
      }
    >
      {inOrganisation && typed !== null ? (
        <CommandGroup heading="Call">
          {callNumber ? (
            <CallItem phoneNumber={typed} keywords={[text]} onSelect={finish(() => callNumber(typed))} />
          ) : (
            <RefusedCallItem phoneNumber={typed} keywords={[text]} why="You’re on a call" />
          )}
        </CommandGroup>
      ) : null}
      {leads.found.length > 0 ? (
        <CommandGroup heading="Leads">
          {leads.found.map((lead) => (
            <CommandItem
              key={lead.id}
              value={`lead ${lead.id}`}
              // The server matches more fields than are shown.
              keywords={[text]}
              onSelect={finish(() => navigate({ to: "/leads/$leadId", params: { leadId: lead.id } }))}
            >
              <User aria-hidden="true" />
              <span className="min-w-0 truncate">{leadName(lead)}</span>
              <span className="ml-auto min-w-0 shrink truncate text-xs text-ink-soft tabular-nums">
                {lead.phoneNumber ? formatPhoneNumber(lead.phoneNumber) : lead.email}
              </span>
            </CommandItem>
          ))}
        </CommandGroup>
      ) : null}
      {screens.map((group) => (
        <CommandGroup key={group.label ?? "main"} heading={group.label ?? "Go to"}>
          {group.entries.map(({ label, to, icon: Icon }) => (
            <CommandItem key={to} value={label} onSelect={finish(() => navigate({ to }))}>
              <Icon aria-hidden="true" /> {label}
            </CommandItem>
          ))}
        </CommandGroup>
      ))}
      {callNumber && recent.length > 0 ? (
        <CommandGroup heading="Call again">
          {recent.map((phoneNumber) => (
            <CallItem
              key={phoneNumber}
              phoneNumber={phoneNumber}
              keywords={[formatPhoneNumber(phoneNumber)]}
              onSelect={finish(() => callNumber(phoneNumber))}
            />
          ))}
        </CommandGroup>
      ) : null}
      <CommandGroup heading="Actions">
        <CommandItem onSelect={finish(() => navigate({ to: "/settings/phone-numbers/assign" }))}>
          <Plus aria-hidden="true" /> Get a phone number
        </CommandItem>
        <CommandItem onSelect={finish(() => navigate({ to: "/settings/organisations/new" }))}>
          <Plus aria-hidden="true" /> New organisation
        </CommandItem>
        <CommandItem onSelect={onShowShortcuts}>
          <CircleHelp aria-hidden="true" /> Keyboard shortcuts
        </CommandItem>
        <CommandItem onSelect={finish(() => navigate({ to: "/logout" }))}>
          <LogOut aria-hidden="true" /> Log out
        </CommandItem>
      </CommandGroup>
    </CommandDialog>
  );
}

/** Calls need an organisation in which one may call, and aren't possible during another one. */
function useCallNumberInOrganisation() {
  const callNumber = useCallNumber();
  const readsOnly = useReadsOnly();
  const inOrganisation = useQuery(meQuery).data?.activeOrganisation != null && !readsOnly;
  return { inOrganisation, callNumber: inOrganisation ? callNumber : null };
}

const numberIn = (text: string): string | null =>
  !/\p{L}/u.test(text) && dialableOf(text).length > 2 ? toE164(text) : null;

/** Leads by name, phone or email; the previous results stay until the next arrive. */
function useFoundLeads(text: string) {
  const inOrganisation = useQuery(meQuery).data?.activeOrganisation != null;
  const { value: debounced } = useDebounced(text, 150);
  const search = debounced.trim();
  const enabled = inOrganisation && isSearch(search) && isSearch(text);
  const found = useQuery({ ...contactsQuery(search), enabled });
  return { found: enabled ? (found.data ?? []).slice(0, leadsShown) : [], searching: enabled && found.isFetching };
}

/** The last few numbers that the organisation called, without duplicates. */
function useRecentNumbers(): string[] {
  const inOrganisation = useQuery(meQuery).data?.activeOrganisation != null;
  const calls = useQuery({ ...recentCallsQuery(20), enabled: inOrganisation }).data ?? [];
  return [...new Set(calls.map(({ phoneNumber }) => phoneNumber))].slice(0, recentlyShown);
}

interface CallItemProps {
  phoneNumber: string;
  keywords: string[];
  onSelect: () => void;
}

function CallItem({ phoneNumber, keywords, onSelect }: CallItemProps) {
  return (
    <CommandItem value={`call ${phoneNumber}`} keywords={keywords} onSelect={onSelect}>
      <Phone aria-hidden="true" />
      <span>
        Call <span className="tabular-nums">{formatPhoneNumber(phoneNumber)}</span>
      </span>
    </CommandItem>
  );
}

interface RefusedCallItemProps {
  phoneNumber: string;
  keywords: string[];
  why: string;
}

/** Selectable but without an action: if it were skipped, Enter would run the item below it. */
function RefusedCallItem({ phoneNumber, keywords, why }: RefusedCallItemProps) {
  return (
    <CommandItem value={`call ${phoneNumber}`} keywords={keywords} className="cursor-default text-ink-soft">
      <Phone aria-hidden="true" />
      <span>
        Call <span className="tabular-nums">{formatPhoneNumber(phoneNumber)}</span>
      </span>
      <span className="ml-auto text-xs">{why}</span>
    </CommandItem>
  );
}
