/** What a spreadsheet would run (OWASP, "CSV Injection"), and what an import would take for our mark before such. */
const runsInSpreadsheets = /^'*[=+\-@\t\r＝＋－＠]/;
/** Where a spreadsheet with another separator than the comma begins a cell, also in the middle of our quoted one. */
const runsAfterSeparator = /([;|\t\r\n]"*)(?='*[=+\-@＝＋－＠])/g;
const isPhoneNumber = /^\+[\d ()]+$/;

/** A cell of text for CSV: an apostrophe before a formula, nothing before a phone number. An import takes the mark off again. */
export function escapeFormula(text: string): string {
  if (isPhoneNumber.test(text)) return text;
  const marked = text.replaceAll(runsAfterSeparator, "$1'");
  return runsInSpreadsheets.test(text) ? `'${marked}` : marked;
}

/** For csv-stringify. All is quoted, so that a spreadsheet that also splits at semicolons or tabs keeps each cell whole. */
export const harmlessCells = { cast: { string: escapeFormula }, quoted: true, quoted_empty: true };
