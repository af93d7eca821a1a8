import { createHash, randomBytes } from "node:crypto";

import type { IncomingResponseMessage, OutgoingRequestMessage } from "sip.js/lib/core/index.js";

export interface Credentials {
  user: string;
  password: string;
}

/** RFC 8760 and RFC 7616, by Node's names: the strongest first, whatever the order in which they were offered. */
const algorithms = [
  ["SHA-512-256", "sha512-256"],
  ["SHA-256", "sha256"],
  ["MD5", "md5"],
] as const;
const strength = algorithms.flatMap(([name]) => [name, `${name}-sess`]);
const hashNames = new Map<string, string>(algorithms);

/** Each challenge header, and the header that answers it. */
const answerHeaders = { "www-authenticate": "authorization", "proxy-authenticate": "proxy-authorization" } as const;
type Asking = keyof typeof answerHeaders;
export type Answering = (typeof answerHeaders)[Asking];
export const answering = ["authorization", "proxy-authorization"] as const satisfies Answering[];

interface Challenge {
  asking: Asking;
  realm: string;
  nonce: string;
  opaque: string | null;
  /** As in `strength`. */
  algorithm: string;
  /** Null: none was offered (RFC 2069). */
  qop: "auth" | "auth-int" | null;
  stale: boolean;
}

/** No legitimate server challenges more often. */
const maxRounds = 6;

/**
 * Answers the challenges that one request meets on its way, from several servers and in several realms (RFC 3261,
 * section 22). The answer to the first is repeated for the second.
 */
export class ChallengeAnswers {
  readonly #credentials: Credentials;
  readonly #challenges = new Map<string, Challenge>();
  readonly #uses = new Map<string, number>();
  #rounds = 0;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** Whether to resend the request: there is a new challenge, and we can answer it. */
  take(response: IncomingResponseMessage): boolean {
    const asked = bestOfEachRealm(readChallenges(response));
    const isProgress = asked.some((each) => each.stale || !this.#challenges.has(keyOf(each)));
    if (!isProgress || ++this.#rounds > maxRounds) return false;
    for (const each of asked) this.#challenges.set(keyOf(each), each);
    return true;
  }

  /** The values of that header for this request, one for each realm. */
  headers(request: OutgoingRequestMessage, name: Answering): string[] {
    const asked = [...this.#challenges.values()].filter(({ asking }) => answerHeaders[asking] === name);
    return asked.map((challenge) => this.#answer(request, challenge));
  }

  #answer(request: OutgoingRequestMessage, { realm, nonce, opaque, algorithm, qop }: Challenge): string {
    const uses = (this.#uses.get(nonce) ?? 0) + 1;
    this.#uses.set(nonce, uses);
    const { user, password } = this.#credentials;
    const hashName = hashNames.get(algorithm.replace(/-sess$/, "")) ?? "md5";
    const hash = (text: string): string => createHash(hashName).update(text).digest("hex");
    const uri = request.ruri.toRaw();
    const nc = uses.toString(16).padStart(8, "0");
    const cnonce = randomBytes(12).toString("hex");
    const account = hash(`${user}:${realm}:${password}`);
    const who = algorithm.endsWith("-sess") ? hash(`${account}:${nonce}:${cnonce}`) : account;
    const whole = qop === "auth-int" ? `:${hash(bodyOf(request))}` : "";
    const what = hash(`${request.method}:${uri}${whole}`);
    const response = hash(qop === null ? `${who}:${nonce}:${what}` : `${who}:${nonce}:${nc}:${cnonce}:${qop}:${what}`);
    return `Digest ${[
      `username=${quote(user)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(uri)}`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
      ...(opaque === null ? [] : [`opaque=${quote(opaque)}`]),
      ...(qop === null ? [] : [`qop=${qop}`, `nc=${nc}`]),
      ...(qop === null && !algorithm.endsWith("-sess") ? [] : [`cnonce="${cnonce}"`]),
    ].join(", ")}`;
  }
}

const keyOf = ({ asking, realm }: Challenge): string => `${asking} ${realm}`;

const bodyOf = ({ body }: OutgoingRequestMessage): string => (typeof body === "string" ? body : (body?.body ?? ""));

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function bestOfEachRealm(challenges: readonly Challenge[]): Challenge[] {
  const best = new Map<string, Challenge>();
  for (const each of challenges) {
    const rival = best.get(keyOf(each));
    if (!rival || strength.indexOf(each.algorithm) < strength.indexOf(rival.algorithm)) best.set(keyOf(each), each);
  }
  return [...best.values()];
}

/** The supported challenges, from any number of headers. */
function readChallenges(response: IncomingResponseMessage): Challenge[] {
  return (["www-authenticate", "proxy-authenticate"] as const).flatMap((asking) =>
    response.getHeaders(asking).flatMap((value) => readChallengesIn(asking, value)),
  );
}

/** `Scheme name=value, name="value", Scheme …`: a scheme precedes the first parameter of each challenge. */
const parameterPattern = /(?:^|,)\s*(?:([a-z][\w-]*)\s+)?([a-z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",\s]*))/gi;

function readChallengesIn(asking: Asking, value: string): Challenge[] {
  const all: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, scheme, name = "", quoted, token = ""] of value.matchAll(parameterPattern)) {
    if (scheme !== undefined || all.length === 0) all.push({ scheme: scheme ?? "", parameters: new Map() });
    all.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? token);
  }
  return all.flatMap(({ scheme, parameters }) => {
    const [realm, nonce] = [parameters.get("realm"), parameters.get("nonce")];
    const named = (parameters.get("algorithm") ?? "MD5").toUpperCase();
    const algorithm = strength.find((known) => known.toUpperCase() === named);
    const offered = parameters
      .get("qop")
      ?.toLowerCase()
      .match(/[^\s,]+/g);
    const qop = offered ? (["auth", "auth-int"] as const).find((each) => offered.includes(each)) : null;
    if (scheme.toLowerCase() !== "digest" || realm === undefined || nonce === undefined) return [];
    if (algorithm === undefined || qop === undefined) return [];
    const stale = parameters.get("stale")?.toLowerCase() === "true";
    return [{ asking, realm, nonce, opaque: parameters.get("opaque") ?? null, algorithm, qop, stale }];
  });
}
