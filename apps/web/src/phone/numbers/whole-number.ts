import { toE164 } from "./format-number.ts";

/** The shortest numbers in the world have seven digits with their country code. */
const whole = /^\+\d{7,15}$/;

/** E.164 of what is on the pad, as the server reads it; null until it is whole. */
export function wholeNumberOf(typed: string): string | null {
  const number = toE164(typed);
  return whole.test(number) ? number : null;
}
