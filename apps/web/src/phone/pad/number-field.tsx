import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { leadName } from "../../components/lead-name.ts";
import { leadsInWords } from "../../components/lead-names.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { countryName, countryOf } from "../numbers/format-number.ts";
import { dialableOf } from "../numbers/dialable-characters.ts";
import { ContactList, optionId } from "./contact-list.tsx";
import { CountryChip } from "./country-chip.tsx";
import type { ContactSearch } from "./use-contact-search.ts";
import type { NumberEditing } from "./use-number-editing.ts";

const fieldLook =
  "h-10 min-w-0 flex-1 bg-transparent text-[20px]/7 font-medium tabular-nums outline-none placeholder:font-normal placeholder:text-ink-soft";
const frameLook =
  "flex items-center gap-2 rounded-md border border-field-line bg-panel pr-3 pl-2 focus-within:border-brand focus-within:outline-2 focus-within:outline-brand";

interface NumberFieldProps {
  field: RefObject<HTMLInputElement | null>;
  editing: NumberEditing;
  /** E.164 of recent calls that hold the typed digits, best first. */
  matches: readonly string[];
  search: ContactSearch;
}

/** The number to dial, with its country, and below it the recent number that is probably meant. */
export function NumberField({ field, editing, matches, search }: NumberFieldProps) {
  const listId = useId();
  // Who presses the pad's keys must see them: the list lies over the keys only while the field is typed in.
  const [focused, setFocused] = useState(false);
  const open = focused && search.contacts.length > 0;
  const contact = search.contacts[0];
  const country = countryOf(dialableOf(editing.text));
  const match = matches[0];
  const onArrow = (event: KeyboardEvent) => {
    if (!open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    search.move(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <div className="flex flex-col gap-1">
      <div className={classNames(frameLook, "relative")}>
        <CountryChip country={country} />
        <input
          ref={field}
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
          aria-describedby="pad-note"
          value={editing.text}
          onChange={editing.onChange}
          onPaste={editing.onPaste}
          className={fieldLook}
        />
        {open ? (
          <ContactList
            id={listId}
            contacts={search.contacts}
            marked={search.marked}
            onChoose={({ phoneNumber, id }) => editing.set(phoneNumber, id)}
          />
        ) : null}
      </div>
      <div id="pad-note" className="flex h-5 items-center gap-1 px-1 text-xs text-ink-soft">
        {editing.hint ? (
          <span role="status">{editing.hint}</span>
        ) : search.nobody ? (
          <span role="status">No lead of that name has a phone number.</span>
        ) : search.exact ? (
          <span className="truncate font-medium text-ink">
            {leadName(search.exact)}
            <span className="font-normal text-ink-soft"> · {search.exact.status}</span>
          </span>
        ) : search.sharing > 1 && !open ? (
          <span>{leadsInWords(search.sharing)} this number</span>
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
      </div>
    </div>
  );
}

/** In a call the field shows the keys that were sent. */
export function SentKeysField({ keys, field }: { keys: string; field: RefObject<HTMLInputElement | null> }) {
  return (
    <div className={classNames(frameLook, "pl-3")}>
      <input
        ref={field}
        type="text"
        readOnly
        inputMode="none"
        placeholder="Keys are sent as you press"
        aria-label="Keys sent"
        value={keys}
        className={classNames(fieldLook, "text-center tracking-wider placeholder:text-sm placeholder:tracking-normal")}
      />
    </div>
  );
}
