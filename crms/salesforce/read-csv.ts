const unquoted = /[^,\r\n]*/y;

/** The rows of CSV as RFC 4180 has it, in time proportional to its length. Throws if a quoted cell doesn't end. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;

  function takeQuoted(): string {
    const start = at + 1;
    let end = text.indexOf('"', start);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    if (end < 0) throw new Error("a quoted cell has no end");
    at = end + 1;
    return text.slice(start, end).replaceAll('""', '"');
  }

  function takeUnquoted(): string {
    unquoted.lastIndex = at;
    const [cell = ""] = unquoted.exec(text) ?? [];
    at += cell.length;
    return cell;
  }

  while (at < text.length) {
    row.push(text[at] === '"' ? takeQuoted() : takeUnquoted());
    if (text[at] === ",") {
      at += 1;
      if (at < text.length) continue;
      row.push("");
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  return rows;
}
