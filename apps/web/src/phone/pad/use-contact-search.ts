import { shortestSearch } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "../../components/use-debounced.ts";
import { contactsQuery } from "../../data/contacts-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";
import { type Contact, rankContacts, type RankedContact } from "./rank-contacts.ts";

const pauseMs = 150;
/** With fewer digits, far too many numbers match. */
const fewestDigits = 3;

const shown = 5;

export interface ContactSearch {
  /** The lead whose number is on the pad: the chosen one, or the only one who has it. */
  exact: Contact | null;
  /** How many leads have the number on the pad. */
  sharing: number;
  /** Below the field; empty if there is nothing to choose. */
  contacts: readonly RankedContact[];
  /** The one that Enter takes; -1 if Enter dials what is typed, or if no name matches. */
  marked: number;
  /** There are letters on the pad, and no lead matches them. */
  nobody: boolean;
  move: (step: 1 | -1) => void;
  close: () => void;
}

/** Finds leads by the name or the digits on the pad. */
export function useContactSearch(
  padText: string,
  options: { enabled: boolean; chosenId: string | undefined },
): ContactSearch {
  const { value: typed } = useDebounced(padText.trim(), pauseMs);
  const letters = hasLetters(padText);
  const search = hasLetters(typed) ? typed : dialableOf(typed);
  const isLong = hasLetters(typed) ? typed.length >= shortestSearch : search.replace("+", "").length >= fewestDigits;
  const found = useQuery(
    { ...contactsQuery(search), enabled: options.enabled && isLong, placeholderData: (before) => before },
    queryClient,
  );
  const [choice, setChoice] = useState<{ of: string; marked: number | null; closed: boolean }>({
    of: "",
    marked: null,
    closed: false,
  });
  const fits = options.enabled && isLong && padText.trim().length > 0 ? rankContacts(found.data ?? [], search) : [];
  const number = letters ? "" : toE164(padText);
  const holders = fits.map(({ contact }) => contact).filter(({ phoneNumber }) => phoneNumber === number);
  const chosen = holders.find(({ id }) => id === options.chosenId);
  const exact = chosen ?? (holders.length === 1 ? (holders[0] ?? null) : null);
  const own = choice.of === padText ? choice : { of: padText, marked: null, closed: false };
  const contacts = own.closed || chosen ? [] : fits.filter(({ contact }) => contact !== exact).slice(0, shown);
  // Nothing is marked in results for an earlier text.
  const upToDate = typed === padText.trim() && !found.isPlaceholderData;
  const isNamed = contacts[0]?.reason === "name-begins" || contacts[0]?.reason === "name";
  const marked = contacts.length === 0 ? -1 : (own.marked ?? (letters && upToDate && isNamed ? 0 : -1));
  return {
    exact,
    sharing: holders.length,
    contacts,
    marked,
    nobody: letters && isLong && !found.isFetching && found.isSuccess && fits.length === 0,
    move(step) {
      const places = contacts.length + (letters ? 0 : 1);
      const from = letters ? marked : marked + 1;
      // Up from no selection goes to the last one.
      const next = (Math.max(from, step === 1 ? -1 : 0) + step + places) % places;
      setChoice({ of: padText, marked: letters ? next : next - 1, closed: false });
    },
    close: () => setChoice({ of: padText, marked: null, closed: true }),
  };
}
