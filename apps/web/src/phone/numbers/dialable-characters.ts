/** Converts decimal digits of any script to 0–9, and full-width signs to plain ones. */
export function plainDigits(text: string): string {
  return text.normalize("NFKC").replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode has decimal digits in runs of ten, zero first (The Unicode Standard, section 4.6). */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}

/** What a pad can dial: digits, *, # and a leading plus sign. */
export function dialableOf(text: string): string {
  const kept = plainDigits(text).replace(/[^0-9+*#]/g, "");
  return kept.slice(0, 1) + kept.slice(1).replaceAll("+", "");
}

/** A name is being typed, not a number. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

export const isDialable = (character: string): boolean => /^[0-9+*#]$/.test(character);
