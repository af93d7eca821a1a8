import { leadName } from "../../components/lead-name.ts";
import { Badge } from "../../ui/badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import type { Contact } from "./use-contact-search.ts";

interface ContactListProps {
  id: string;
  contacts: readonly Contact[];
  marked: number;
  onChoose: (contact: Contact) => void;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The leads that fit, under the field and over the keys. The field keeps the focus: see its aria-activedescendant. */
export function ContactList({ id, contacts, marked, onChoose }: ContactListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Leads"
      className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-md border border-line bg-panel p-1 shadow-lift"
    >
      {contacts.map((contact, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
        <div
          key={contact.id}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          // So that the field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(contact)}
          className={classNames(
            "flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-2.5 py-1 hover:bg-ink/6",
            index === marked && "bg-ink/6",
          )}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{leadName(contact)}</span>
            <span className="block truncate text-xs text-ink-soft tabular-nums">
              {formatPhoneNumber(contact.phoneNumber)}
            </span>
          </span>
          <Badge>{contact.status}</Badge>
        </div>
      ))}
    </div>
  );
}
