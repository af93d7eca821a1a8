import { emergencySentence, isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { PhoneOff } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { leadName } from "../../components/lead-name.ts";
import { leadsLabel } from "../../components/lead-names.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { countryName, countryOf } from "../numbers/format-number.ts";
import { dialableOf } from "../numbers/dialable-characters.ts";
import { ContactList, type ContactPlace, optionId } from "./contact-list.tsx";
import { CountryChip } from "./country-chip.tsx";
import { fieldLook, frameLook } from "./field-looks.ts";
import { RateNote } from "./rate-note.tsx";
import { useIsOnDoNotCall } from "./use-is-on-do-not-call.ts";
import type { ContactSearch } from "./use-contact-search.ts";
import type { NumberEditing } from "./use-number-editing.ts";

interface NumberFieldProps {
  field: RefObject<HTMLInputElement | null>;
  editing: NumberEditing;
  /** E.164 numbers of recent calls that contain the typed digits, best first. */
  matches: readonly string[];
  search: ContactSearch;
  /** Where matching leads are listed. */
  leads?: ContactPlace;
}

/** The number to dial, with its country, and below it the recent number that is probably meant. */
export function NumberField({ field, editing, matches, search, leads = "beside" }: NumberFieldProps) {
  const listId = useId();
  const noteId = useId();
  // Only while the rep types in the field: the pad's keys must not move while they are pressed.
  const [focused, setFocused] = useState(false);
  const open = focused && editing.typedIn && search.contacts.length > 0;
  const contact = search.contacts[0]?.contact;
  const country = countryOf(dialableOf(editing.text));
  const match = matches[0];
  const blocked = useIsOnDoNotCall(editing.text);
  const onArrow = (event: KeyboardEvent) => {
    if (!open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    search.move(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <div className="relative flex flex-col gap-1">
      <div className={frameLook}>
        <CountryChip country={country} />
        <input
          ref={field}
          data-dialled-number
          type="text"
          inputMode="tel"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={search.marked >= 0 ? optionId(listId, search.marked) : undefined}
          onKeyDown={onArrow}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          autoComplete="off"
          spellCheck={false}
          placeholder="Phone number"
          aria-label="Phone number"
          aria-describedby={noteId}
          value={editing.text}
          onChange={editing.onChange}
          onPaste={editing.onPaste}
          className={fieldLook}
        />
      </div>
      {open ? (
        <ContactList
          id={listId}
          place={leads}
          contacts={search.contacts}
          marked={search.marked}
          onChoose={({ phoneNumber, id }) => editing.set(phoneNumber, id)}
        />
      ) : null}
      <div id={noteId} className="flex min-h-5 items-center gap-1 px-1 text-xs text-ink-soft">
        {isEmergencyNumber(editing.text) ? (
          <span role="alert" className="font-medium tracking-tight text-fault">
            {emergencySentence}
          </span>
        ) : editing.hint ? (
          <span role="status">{editing.hint}</span>
        ) : blocked ? (
          <span role="status" className="flex items-center gap-1 font-medium text-fault">
            <PhoneOff className="size-3.5" aria-hidden="true" />
            {search.exact ? `${leadName(search.exact)} is on your do-not-call list.` : "On your do-not-call list."}
          </span>
        ) : search.nobody ? (
          <span role="status">No matching lead has a phone number.</span>
        ) : search.exact ? (
          <span className="truncate font-medium text-ink">
            {leadName(search.exact)}
            <span className="font-normal text-ink-soft"> · {search.exact.status}</span>
          </span>
        ) : search.sharing > 1 && !open ? (
          <span>{leadsLabel(search.sharing)} this number</span>
        ) : contact && !open ? (
          <>
            Lead:
            <button
              type="button"
              onClick={() => {
                editing.set(contact.phoneNumber, contact.id);
                field.current?.focus();
              }}
              className="truncate rounded-[4px] font-medium text-brand underline-offset-2 hover:underline"
            >
              {leadName(contact)}
            </button>
          </>
        ) : match ? (
          <>
            Recent:
            <button
              type="button"
              onClick={() => {
                editing.set(match);
                field.current?.focus();
              }}
              className="rounded-[4px] font-medium text-brand underline-offset-2 hover:underline"
            >
              {formatPhoneNumber(match)}
            </button>
          </>
        ) : country ? (
          countryName(country)
        ) : null}
        {isEmergencyNumber(editing.text) || editing.hint || blocked ? null : <RateNote typed={editing.text} />}
      </div>
    </div>
  );
}
