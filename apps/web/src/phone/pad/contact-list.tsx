import { clsx } from "clsx";
import { leadName } from "../../components/lead-name.ts";
import { Badge } from "../../ui/badge.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import type { Contact, RankedContact } from "./rank-contacts.ts";

/**
 * beside: next to the phone if there is room, otherwise between the field and the keys, never over the keys. below:
 * always below the field.
 */
export type ContactPlace = "beside" | "below";

interface ContactListProps {
  id: string;
  place: ContactPlace;
  contacts: readonly RankedContact[];
  marked: number;
  onChoose: (contact: Contact) => void;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The matching leads. The field keeps the focus: see its aria-activedescendant. */
export function ContactList({ id, place, contacts, marked, onChoose }: ContactListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Leads"
      className={clsx(
        "overflow-hidden rounded-md border border-line bg-panel p-1",
        place === "below"
          ? "mt-1"
          : "shadow-lift max-lg:mt-1 lg:absolute lg:top-0 lg:left-full lg:z-20 lg:ml-3 lg:w-80",
      )}
    >
      {contacts.map(({ contact, reason }, index) => (
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
          className={clsx(
            "flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-2.5 py-1 hover:bg-ink/6",
            index === marked && "bg-ink/6",
          )}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{leadName(contact)}</span>
            <span className="block truncate text-xs text-ink-soft tabular-nums">
              {formatPhoneNumber(contact.phoneNumber)}
              {reason === "email" ? ` · ${contact.email}` : null}
            </span>
          </span>
          <Badge>{contact.status}</Badge>
        </div>
      ))}
    </div>
  );
}
