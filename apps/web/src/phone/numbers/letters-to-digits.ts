/** The letters on a phone's keys (ITU-T E.161). */
const keyLetters = ["", "", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"];

const digitOf = (letter: string): string =>
  String(keyLetters.findIndex((letters) => letters.includes(letter.toUpperCase())));

/** An area code, followed only by Latin letters, digits and separators: 1-800-FLOWERS, not a name. */
const spelled = /^\s*\+?[\s().-]*\d(?:[\s().-]*\d){2}[\d\s().-]*[A-Za-z][A-Za-z\d\s().-]*$/;

/** Converts a number spelled in letters to digits, character by character; anything else is unchanged. */
export const lettersToDigits = (text: string): string =>
  spelled.test(text) ? text.replaceAll(/[A-Za-z]/g, digitOf) : text;
