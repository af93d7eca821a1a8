import { findPhoneNumbersInText } from "libphonenumber-js/min";
import { dialableOf, plainDigits } from "./dialable-characters.ts";
import { lettersToDigits } from "./letters-to-digits.ts";
import { splitExtension } from "./split-extension.ts";
import { homeCountry } from "./home-country.ts";

/**
 * The number in a pasted text: a tel: link, brackets and dots, other scripts' digits, surrounded by a sentence. Empty
 * if there is none.
 */
export function readPastedNumber(pasted: string): string {
  return readNumber(splitExtension(pasted).number);
}

function readNumber(pasted: string): string {
  const text = lettersToDigits(plainDigits(decodeLink(pasted)))
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    // The bracketed trunk zero is never dialled after a country code (ITU-T E.123, section 7).
    .replace(/(\+\d[\d\s.-]*)\(0\)/g, "$1");
  const found = findPhoneNumbersInText(text, homeCountry())[0];
  if (found) return found.number.country === "US" && !text.includes("+") ? national(found.number) : found.number.number;
  // Not a valid number in any country: a short code or a partly copied number, kept only if the text contains little
  // else.
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return letters > 4 ? (/[+]?\d[\d\s().-]{3,}/.exec(text)?.map(dialableOf)[0] ?? "") : dialableOf(text);
}

const national = (number: { nationalNumber: string }): string => number.nationalNumber;

/** RFC 3966: parameters follow a semicolon. */
function decodeLink(pasted: string): string {
  const link = /^\s*(?:tel|callto|sip):(?:\/\/)?([^;?@]+)/i.exec(pasted);
  if (!link?.[1]) return pasted;
  try {
    return decodeURIComponent(link[1]);
  } catch {
    return link[1];
  }
}
