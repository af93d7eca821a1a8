import { useQuery } from "@tanstack/react-query";
import { doNotCallOfQuery } from "../../data/do-not-call-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";

/** The shortest numbers in the world have seven digits with their country code. */
const wholeNumber = /^\+\d{7,15}$/;

/** Whether the number on the pad, once it is whole, must not be called. */
export function useIsOnDoNotCall(typed: string): boolean {
  // Read by the page already.
  const me = useQuery({ ...meQuery, enabled: false }, queryClient).data;
  const asSent = toE164(dialableOf(typed));
  // What is no number where the pad takes it to be, the server reads as one of the organisation's own country.
  const number = asSent.startsWith("+") ? asSent : toE164(asSent, me?.activeOrganisation?.defaultCountry);
  return Boolean(useQuery({ ...doNotCallOfQuery(number), enabled: wholeNumber.test(number) }, queryClient).data);
}
