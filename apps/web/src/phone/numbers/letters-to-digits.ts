/** The letters of a telephone's keys (ITU-T E.161). */
const keyLetters = ["", "", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"];

const digitOf = (letter: string): string =>
  String(keyLetters.findIndex((letters) => letters.includes(letter.toUpperCase())));

/** An area code first, and then nothing but Latin letters, digits and what groups them: 1-800-FLOWERS, not a name. */
const spelled = /^\s*\+?[\s().-]*\d(?:[\s().-]*\d){2}[\d\s().-]*[A-Za-z][A-Za-z\d\s().-]*$/;

/** A number spelled in letters as its digits, character by character; anything else as it is. */
export const lettersToDigits = (text: string): string =>
  spelled.test(text) ? text.replaceAll(/[A-Za-z]/g, digitOf) : text;
