/** More texts than the code contains: each has a plan on every connection. */
const maxNames = 300;
/** Of texts that differ only in the length of a list, which a request can choose: the rest aren't worth a plan. */
const maxLengths = 8;

/** The text with each list of parameters, or of rows of them, as one parameter. */
const withoutLengths = (text: string): string => text.replaceAll(/\$\d+(?:(?:::\w+)?[(), ]+\$\d+)+/g, "$$");

/** Names statements. With a name, Postgres keeps the parsed and planned statement for the connection's life. */
export function createStatementNames(): (text: string) => string {
  const names = new Map<string, string>();
  const lengths = new Map<string, number>();
  return (text) => {
    const named = names.get(text);
    if (named !== undefined) return named;
    if (names.size >= maxNames) return "";
    const shape = withoutLengths(text);
    const known = lengths.get(shape) ?? 0;
    if (known >= maxLengths) return "";
    lengths.set(shape, known + 1);
    // Postgres keeps 63 bytes of a name; the start of the text identifies the statement in pg_prepared_statements.
    const name = `${names.size} ${text.slice(0, 56)}`;
    names.set(text, name);
    return name;
  };
}
