import { shortestSearch } from "@leadline/contract/leads";
import type { CountryCode } from "libphonenumber-js/max";
import { toPhoneNumber } from "./to-phone-number.ts";

/**
 * What a lead's search text must be LIKE, for each word typed. A trigram index needs three characters, or the beginning
 * of a word. A phone number is one word, however it is grouped.
 */
export function searchPatterns(typed: string, options: { country: CountryCode; beginning: boolean }): string[] {
  if ([...typed].length < shortestSearch) return [];
  const digits = typed.replaceAll(/\D/g, "");
  if (/^[\d\s()+./-]+$/.test(typed) && digits.length >= 3)
    return [`%${toPhoneNumber(typed, options.country) ?? digits.replace(/^0+(?=\d{3})/, "")}%`];
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = (word: string) => options.beginning || [...word].length < 3;
  return [...new Set(words)].map((word) => (begins(word) ? "% " : "%") + escapeLike(word) + "%");
}

const escapeLike = (word: string): string => word.replaceAll(/[\\%_]/g, String.raw`\$&`);
