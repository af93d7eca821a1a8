import { createHash, randomBytes } from "node:crypto";

import { DigestAuthentication, type LoggerFactory, type OutgoingRequestMessage } from "sip.js/lib/core/index.js";

export interface Credentials {
  user: string;
  password: string;
}

type Algorithm = "MD5" | "SHA-256";
const hashNames: Record<Algorithm, string> = { MD5: "md5", "SHA-256": "sha256" };
/** RFC 8760: the stronger first, whatever the order they were offered in. */
const strength: readonly Algorithm[] = ["SHA-256", "MD5"];

interface Challenge {
  realm?: string;
  nonce?: string;
  opaque?: string;
  algorithm?: string;
  qop?: string[];
}

/** Digest over MD5 and SHA-256 (RFC 7616, RFC 8760); the library's own knows the first alone. */
export class TrunkDigest extends DigestAuthentication {
  readonly #credentials: Credentials;
  readonly #uses = new Map<string, number>();
  #header = "";

  constructor(loggerFactory: LoggerFactory, credentials: Credentials) {
    super(loggerFactory, undefined, credentials.user, credentials.password);
    this.#credentials = credentials;
  }

  override authenticate(request: OutgoingRequestMessage, challenge: Challenge): boolean {
    const { realm, nonce, opaque, qop } = challenge;
    const algorithm = readAlgorithm(challenge.algorithm);
    const takesAuth = qop === undefined || qop.includes("auth");
    if (algorithm === null || realm === undefined || nonce === undefined || !takesAuth) return false;

    const uses = (this.#uses.get(nonce) ?? 0) + 1;
    this.#uses.set(nonce, uses);
    const { user, password } = this.#credentials;
    const hash = (text: string): string => createHash(hashNames[algorithm]).update(text).digest("hex");
    const uri = request.ruri.toRaw();
    const nc = uses.toString(16).padStart(8, "0");
    const cnonce = randomBytes(12).toString("hex");
    const who = hash(`${user}:${realm}:${password}`);
    const what = hash(`${request.method}:${uri}`);
    const response = hash(
      qop === undefined ? `${who}:${nonce}:${what}` : `${who}:${nonce}:${nc}:${cnonce}:auth:${what}`,
    );
    this.#header = [
      `Digest username=${quote(user)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(uri)}`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
      ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
      ...(qop === undefined ? [] : [`qop=auth, nc=${nc}, cnonce="${cnonce}"`]),
    ].join(", ");
    return true;
  }

  override toString(): string {
    return this.#header;
  }
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function readAlgorithm(named: string | undefined): Algorithm | null {
  if (named === undefined) return "MD5";
  return strength.find((known) => known === named.toUpperCase()) ?? null;
}

/**
 * The core keeps the last challenge of a response, and throws the whole response away over one it cannot read. So the best
 * one that we can answer is left in it, and the others are taken off.
 */
export function keepBestChallenge(text: string): string {
  const lines = /^(?:www|proxy)-authenticate[ \t]*:.*(?:\r\n[ \t].*)*\r\n/gim;
  const offered = [...text.matchAll(lines)].map(([line]) => ({
    line,
    algorithm: /^[^:]*:\s*digest\s/i.test(line)
      ? readAlgorithm(/[\s,]algorithm\s*=\s*"?([\w-]+)/i.exec(line)?.[1])
      : null,
  }));
  const best = strength
    .map((algorithm) => offered.find((challenge) => challenge.algorithm === algorithm))
    .find((found) => found !== undefined);
  return text.replaceAll(lines, (line) => (line === best?.line ? line : ""));
}
