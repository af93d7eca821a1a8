/** What a spreadsheet would run (OWASP, "CSV Injection"), and what an import would take for our mark before such. */
const runsInSpreadsheets = /^'*[=+\-@\t\r＝＋－＠]/;
const isPhoneNumber = /^\+[\d ()]+$/;

/** A cell of text for CSV: an apostrophe before a formula, nothing before a phone number. An import takes the mark off again. */
export const escapeFormula = (text: string): string =>
  runsInSpreadsheets.test(text) && !isPhoneNumber.test(text) ? `'${text}` : text;
