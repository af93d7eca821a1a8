import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";

/** The shortest numbers in the world have seven digits with their country code. */
const wholeNumber = /^\+\d{7,15}$/;

/** E.164 of what is on the pad, as the server reads it; null until it is whole. */
export function useWholeNumber(typed: string): string | null {
  // Read by the page already.
  const me = useQuery({ ...meQuery, enabled: false }, queryClient).data;
  const asSent = toE164(dialableOf(typed));
  // Read in the organisation's country, like the server does, if the pad can't parse it.
  const number = asSent.startsWith("+") ? asSent : toE164(asSent, me?.activeOrganisation?.defaultCountry);
  return wholeNumber.test(number) ? number : null;
}
