/** The part of SOQL that reads one object: SELECT … FROM Lead [WHERE …] [ORDER BY …] [LIMIT …]. Times are milliseconds. */
export type SoqlValue = string | number | boolean | null;
export type SoqlRecord = Record<string, SoqlValue>;
type Test = (record: SoqlRecord) => boolean;

export interface SoqlQuery {
  fields: string[];
  object: string;
  matches: Test;
  compare: (a: SoqlRecord, b: SoqlRecord) => number;
  limit: number | null;
}

/** Told to the client as MALFORMED_QUERY. */
export class SoqlError extends Error {
  override name = "SoqlError";
}

const token =
  /\s*(?:(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))|('(?:[^'\\]|\\.)*')|([A-Za-z_]\w*(?:\.\w+)*)|(-?\d+)|(<=|>=|!=|[=<>(),]))/y;
type Token = { kind: "time" | "text" | "word" | "number" | "sign"; value: string };
const kinds = ["time", "text", "word", "number", "sign"] as const;

function split(text: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (text.slice(token.lastIndex).trim() !== "") {
    const at = token.lastIndex;
    const found = token.exec(text);
    const index = found?.slice(1).findIndex((part) => part !== undefined) ?? -1;
    const kind = kinds[index];
    if (found === null || kind === undefined)
      throw new SoqlError(`unexpected token: '${text.slice(at, at + 12).trim()}'`);
    tokens.push({ kind, value: found[index + 1] ?? "" });
  }
  return tokens;
}

export function parseSoql(text: string): SoqlQuery {
  const tokens = split(text);
  let at = 0;
  const peek = (...words: string[]) => words.every((word, i) => tokens[at + i]?.value.toUpperCase() === word);
  const accept = (...words: string[]) => {
    const found = peek(...words);
    if (found) at += words.length;
    return found;
  };
  const expect = (...words: string[]) => {
    if (!accept(...words)) throw new SoqlError(`expecting ${words.join(" ")}, found '${tokens[at]?.value ?? "EOF"}'`);
  };
  const take = (kind: Token["kind"]): string => {
    const found = tokens[at];
    if (found?.kind !== kind) throw new SoqlError(`unexpected token: '${found?.value ?? "EOF"}'`);
    at += 1;
    return found.value;
  };
  const list = <T>(item: () => T): T[] => {
    const items = [item()];
    while (accept(",")) items.push(item());
    return items;
  };

  const value = (): SoqlValue => {
    const { kind } = tokens[at] ?? { kind: "sign" as const };
    if (kind === "time") return Date.parse(take("time"));
    if (kind === "text") return take("text").slice(1, -1).replaceAll(/\\(.)/g, "$1");
    if (kind === "number") return Number(take("number"));
    if (accept("TRUE")) return true;
    if (accept("FALSE")) return false;
    expect("NULL");
    return null;
  };
  const either = (): Test => {
    const tests = [both()];
    while (accept("OR")) tests.push(both());
    return (record) => tests.some((test) => test(record));
  };
  const both = (): Test => {
    const tests = [single()];
    while (accept("AND")) tests.push(single());
    return (record) => tests.every((test) => test(record));
  };
  const single = (): Test => {
    if (accept("(")) {
      const inner = either();
      expect(")");
      return inner;
    }
    const field = take("word");
    if (accept("IN")) {
      expect("(");
      const wanted = list(value);
      expect(")");
      return (record) => wanted.includes(record[field] ?? null);
    }
    const sign = take("sign");
    const wanted = value();
    return (record) => holds(sign, order(record[field] ?? null, wanted));
  };

  expect("SELECT");
  const fields = list(() => take("word"));
  expect("FROM");
  const object = take("word");
  const matches = accept("WHERE") ? either() : () => true;
  const sorts = accept("ORDER", "BY")
    ? list(() => ({ field: take("word"), down: accept("DESC") || (accept("ASC"), false) }))
    : [];
  const limit = accept("LIMIT") ? Number(take("number")) : null;
  if (at < tokens.length) throw new SoqlError(`unexpected token: '${tokens[at]?.value}'`);
  const compare: SoqlQuery["compare"] = (a, b) => {
    for (const { field, down } of sorts) {
      const by = order(a[field] ?? null, b[field] ?? null);
      if (by !== 0) return down ? -by : by;
    }
    return 0;
  };
  return { fields, object, matches, compare, limit };
}

function order(a: SoqlValue, b: SoqlValue): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function holds(sign: string, by: number): boolean {
  const tests: Record<string, boolean> = {
    "=": by === 0,
    "!=": by !== 0,
    "<": by < 0,
    ">": by > 0,
    "<=": by <= 0,
    ">=": by >= 0,
  };
  const test = tests[sign];
  if (test === undefined) throw new SoqlError(`unexpected token: '${sign}'`);
  return test;
}
