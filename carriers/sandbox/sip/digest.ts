import { createHash, randomBytes } from "node:crypto";
import { header, type SipMessage } from "./sip-message.ts";

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

/** Digest access authentication (RFC 3261, section 22; RFC 2617). A nonce is valid for one method and for a minute. */
export function createDigest(realm: string) {
  const nonces = new Map<string, number>();
  const validMs = 60_000;
  return {
    challenge(): string {
      const nowMs = performance.now();
      for (const [nonce, madeMs] of nonces) if (nowMs - madeMs > validMs) nonces.delete(nonce);
      const nonce = randomBytes(16).toString("hex");
      nonces.set(nonce, nowMs);
      return `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5, qop="auth"`;
    },
    /** The user whose credentials are valid. Null if they are missing or wrong. */
    provenUser(
      request: SipMessage,
      name: "Authorization" | "Proxy-Authorization",
      passwordOf: (user: string) => string | null,
    ) {
      const given = readParameters(header(request, name));
      const { username = "", nonce = "", uri = "", response = "", nc = "", cnonce = "" } = given;
      const password = passwordOf(username);
      if (password === null || !nonces.has(nonce) || given["realm"] !== realm) return null;
      const ha1 = md5(`${username}:${realm}:${password}`);
      const ha2 = md5(`${request.method}:${uri}`);
      const expected =
        given["qop"] === "auth" ? md5(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}`) : md5(`${ha1}:${nonce}:${ha2}`);
      return expected === response ? username : null;
    },
  };
}

function readParameters(value: string): Record<string, string> {
  const pairs = [...value.matchAll(/(\w+)=(?:"([^"]*)"|([^,\s]+))/g)];
  return Object.fromEntries(pairs.map(([, name = "", quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ""]));
}
