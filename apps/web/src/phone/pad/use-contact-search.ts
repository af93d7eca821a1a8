import type { Lead } from "@leadline/contract/leads";
import { shortestSearch } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { contactsQuery } from "../../data/contacts-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";

const pauseMs = 150;
/** Of fewer digits half the world's numbers hold some. */
const fewestDigits = 3;

export type Contact = Lead & { phoneNumber: string };

export interface ContactSearch {
  /** Whose number is on the pad already: the one chosen, or the only one who has it. */
  exact: Contact | null;
  /** So many have the number on the pad. */
  sharing: number;
  /** Under the field; empty while there is nothing to choose. */
  contacts: readonly Contact[];
  /** The one that Enter takes; -1 where Enter dials what is typed. */
  marked: number;
  /** Letters are on the pad, and nobody fits them. */
  nobody: boolean;
  move: (step: 1 | -1) => void;
  close: () => void;
}

const canBeCalled = (lead: Lead): lead is Contact => lead.phoneNumber !== null;

/** Finds leads by the name or the digits on the pad. */
export function useContactSearch(
  padText: string,
  options: { enabled: boolean; chosenId: string | undefined },
): ContactSearch {
  const typed = useSettled(padText.trim());
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
  const fits = options.enabled && isLong && padText.trim().length > 0 ? (found.data ?? []).filter(canBeCalled) : [];
  const number = letters ? "" : toE164(padText);
  const holders = fits.filter(({ phoneNumber }) => phoneNumber === number);
  const exact =
    holders.find(({ id }) => id === options.chosenId) ?? (holders.length === 1 ? (holders[0] ?? null) : null);
  const own = choice.of === padText ? choice : { of: padText, marked: null, closed: false };
  const contacts =
    own.closed || holders.some(({ id }) => id === options.chosenId) ? [] : fits.filter((contact) => contact !== exact);
  // Nobody is marked who was found for what stood there a moment ago.
  const upToDate = typed === padText.trim() && !found.isPlaceholderData;
  const marked = contacts.length === 0 ? -1 : (own.marked ?? (letters && upToDate ? 0 : -1));
  return {
    exact,
    sharing: holders.length,
    contacts,
    marked,
    nobody: letters && isLong && !found.isFetching && found.isSuccess && fits.length === 0,
    move(step) {
      const places = contacts.length + (letters ? 0 : 1);
      const from = letters ? marked : marked + 1;
      const next = (from + step + places) % places;
      setChoice({ of: padText, marked: letters ? next : next - 1, closed: false });
    },
    close: () => setChoice({ of: padText, marked: null, closed: true }),
  };
}

/** The text once it has stood still for a moment, so that not every key asks the server. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
