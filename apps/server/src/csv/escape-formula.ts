/** What a spreadsheet would execute (OWASP, "CSV Injection"), and text that an import would mistake for our escape. */
const runsInSpreadsheets = /^'*[=+\-@\t\r＝＋－＠]/;
/** Where a cell begins for a spreadsheet with a separator other than the comma, even inside our quoted cell. */
const runsAfterSeparator = /([;|\t\r\n]"*)(?='*[=+\-@＝＋－＠])/g;
const isPhoneNumber = /^\+[\d ()]+$/;

/** A CSV text cell: formulas get an apostrophe in front, phone numbers don't. An import removes the apostrophe. */
export function escapeFormula(text: string): string {
  if (isPhoneNumber.test(text)) return text;
  const marked = text.replaceAll(runsAfterSeparator, "$1'");
  return runsInSpreadsheets.test(text) ? `'${marked}` : marked;
}

/**
 * Options for csv-stringify. Everything is quoted, so that a spreadsheet that also splits at semicolons or tabs keeps
 * each cell whole.
 */
export const harmlessCells = { cast: { string: escapeFormula }, quoted: true, quoted_empty: true };
