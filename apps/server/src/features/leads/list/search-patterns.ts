import { isSearch } from "@leadline/contract/leads";
import type { CountryCode } from "libphonenumber-js/max";
import { foldText } from "@leadline/contract/fold-text";
import { toPhoneNumber } from "../numbers/to-phone-number.ts";

/**
 * LIKE patterns for a lead's search text, one per typed word. A trigram index needs three characters or the beginning
 * of a word. A phone number is one word, however it is grouped.
 */
export function searchPatterns(typed: string, options: { country: CountryCode; beginning: boolean }): string[] {
  if (!isSearch(typed)) return [];
  const digits = typed.replaceAll(/\D/g, "");
  if (/^[\d\s()+./-]+$/.test(typed) && digits.length >= 3)
    return [`%${toPhoneNumber(typed, options.country) ?? digits.replace(/^0+(?=\d{3})/, "")}%`];
  const begins = (word: string) => options.beginning || [...word].length < 3;
  return wordsOf(typed).map((word) => (begins(word) ? "% " : "%") + escapeLike(word) + "%");
}

/** LIKE patterns that match each typed word anywhere in a folded text. */
export const wordPatterns = (typed: string): string[] => wordsOf(typed).map((word) => `%${escapeLike(word)}%`);

const wordsOf = (typed: string): string[] => [...new Set(foldText(typed).split(/\s+/).filter(Boolean))];

const escapeLike = (word: string): string => word.replaceAll(/[\\%_]/g, String.raw`\$&`);
