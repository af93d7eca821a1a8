import { useQuery } from "@tanstack/react-query";
import { doNotCallOfQuery } from "../../data/do-not-call-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";

/** The shortest numbers in the world have seven digits with their country code. */
const wholeNumber = /^\+\d{7,15}$/;

/** Whether the number on the pad, once it is whole, must not be called. */
export function useIsOnDoNotCall(typed: string): boolean {
  const number = toE164(dialableOf(typed));
  return Boolean(useQuery({ ...doNotCallOfQuery(number), enabled: wholeNumber.test(number) }, queryClient).data);
}
