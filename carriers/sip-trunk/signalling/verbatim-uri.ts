import { NameAddrHeader, URI } from "sip.js/lib/grammar/index.js";

export interface UriParts {
  scheme: string;
  user: string;
  host: string;
  port: number | undefined;
  /** Parameters of the user part (RFC 3966), such as `verstat`; names in lower case. */
  userParameters: ReadonlyMap<string, string>;
  parameters: ReadonlyMap<string, string>;
}

/** A placeholder host for a `tel:` URI, as the library requires one. */
export const noHost = "tel.invalid";

/** A URI that is written exactly as it was read: the library's own re-escapes it and doesn't support `tel:`. */
export class VerbatimUri extends URI {
  readonly text: string;
  readonly parts: UriParts;

  constructor(text: string, parts: UriParts) {
    super(parts.scheme, parts.user, parts.host, parts.port, Object.fromEntries(parts.parameters));
    this.text = text;
    this.parts = parts;
  }

  override clone(): URI {
    return new VerbatimUri(this.text, this.parts);
  }

  override toRaw(): string {
    return this.text;
  }

  override toString(): string {
    return this.text;
  }
}

const sipUri = /^(?:([^@]*)@)?(\[[^\]]+\]|[^:;?\s@,<>"[\]]+)(?::(\d{1,5}))?((?:;[^?\s]*)?)(?:\?\S*)?$/;

/** A sip, sips or tel URI; null for anything else. */
export function readUri(text: string): VerbatimUri | null {
  const [, scheme = "", rest = ""] = /^(sips?|tel):(.*)$/is.exec(text.trim()) ?? [];
  if (rest === "") return null;
  if (scheme.toLowerCase() === "tel") {
    const [number = "", ...parameters] = rest.split(";");
    if (!/^[+\d*#.()a-f-]+$/i.test(number)) return null;
    const userParameters = readParameters(parameters);
    const parts = { user: number.replaceAll(/[-.()]/g, ""), host: noHost, port: undefined };
    return new VerbatimUri(text.trim(), { scheme: "tel", ...parts, userParameters, parameters: new Map() });
  }
  const [, userInfo = "", host = "", port, parameters = ""] = sipUri.exec(rest) ?? [];
  if (host === "" || /[\s<>]/.test(userInfo)) return null;
  const [user = "", ...userParameters] = (userInfo.split(":")[0] ?? "").split(";");
  return new VerbatimUri(text.trim(), {
    scheme: scheme.toLowerCase(),
    user: decoded(user),
    host,
    port: port === undefined ? undefined : Number(port),
    userParameters: readParameters(userParameters),
    parameters: readParameters(parameters.split(";")),
  });
}

/**
 * Removes visual separators from a number, where they have no meaning (RFC 3966, section 5.1.1); any other user keeps
 * them.
 */
export function withoutSeparators(user: string): string {
  const number = user.replaceAll(/[-.()]/g, "");
  return /^\+?\d+$/.test(number) ? number : user;
}

/** Text with an invalid escape is returned unchanged. */
function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

/** Without regular expressions: a peer decides how long its parameters are, and repeated spaces made them quadratic. */
function readParameters(parts: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf("=");
    const name = (at < 0 ? part : part.slice(0, at)).trim();
    if (name !== "" && !/\s/.test(name))
      parameters.set(name.toLowerCase(), at < 0 ? "" : unquoted(part.slice(at + 1).trim()));
  }
  return parameters;
}

const unquoted = (value: string): string =>
  value.slice(value.startsWith('"') ? 1 : 0, value.length > 1 && value.endsWith('"') ? -1 : undefined);

/** A name, an address and parameters (RFC 3261, section 20.10); null if it has no readable URI. */
export function readNameAddress(value: string): NameAddrHeader | null {
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"\s*(?=<)/s.exec(value);
  const rest = value.slice(quoted?.[0].length ?? 0);
  const bracketed = /^([^<>"]*)<([^<>]*)>(.*)$/s.exec(rest);
  const bare = /^\s*([^\s;<>"]+)(.*)$/s.exec(rest);
  const uri = readUri(bracketed?.[2] ?? bare?.[1] ?? "");
  if (!uri) return null;
  const name = quoted?.[1]?.replaceAll(/\\(.)/gs, "$1") ?? bracketed?.[1]?.trim() ?? "";
  const parameters = readParameters(splitOutsideQuotes(bracketed?.[3] ?? bare?.[2] ?? "", ";").slice(1));
  return new NameAddrHeader(uri, name, Object.fromEntries(parameters));
}

/** Splits at each separator that is outside quotes and angle brackets. */
export function splitOutsideQuotes(value: string, separator: "," | ";"): string[] {
  const pieces: string[] = [];
  let [start, quoted, bracketed] = [0, false, false];
  for (let i = 0; i < value.length; i++) {
    const at = value[i];
    if (quoted && at === "\\") i++;
    else if (at === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (at === "<" || at === ">") bracketed = at === "<";
    else if (at === separator && !bracketed) {
      pieces.push(value.slice(start, i));
      start = i + 1;
    }
  }
  return [...pieces, value.slice(start)];
}
