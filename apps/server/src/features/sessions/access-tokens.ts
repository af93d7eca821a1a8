import { createSigner, createVerifier } from "fast-jwt";
import { z } from "zod";
import type { DeriveKey } from "../../secrets.ts";

const AccessClaims = z.object({ sub: z.uuid(), sid: z.uuid() });

export interface AccessTokens {
  sign(claims: { userId: string; sessionId: string }): string;
  /** The session it was issued for, or null. Only the database knows whether the session is still open. */
  read(token: string): { userId: string; sessionId: string } | null;
}

const issuer = "leadline";
const audience = "leadline-api";
const accessTokenMs = 15 * 60_000;

export function createAccessTokens(deriveKey: DeriveKey): AccessTokens {
  const key = deriveKey("access tokens");
  const sign = createSigner({ key, algorithm: "HS256", expiresIn: accessTokenMs, iss: issuer, aud: audience });
  const verifiers = [key, ...(deriveKey.previous?.("access tokens") ?? [])].map((accepted) =>
    createVerifier({
      key: accepted,
      algorithms: ["HS256"],
      allowedIss: issuer,
      allowedAud: audience,
      requiredClaims: ["exp", "iat", "sub", "sid", "aud", "iss"],
      cache: 10_000,
    }),
  );
  return {
    sign: ({ userId, sessionId }) => sign({ sub: userId, sid: sessionId }),
    read(token) {
      for (const verify of verifiers) {
        try {
          const claims = AccessClaims.parse(verify(token));
          return { userId: claims.sub, sessionId: claims.sid };
        } catch {
          // Signed with another key, or invalid.
        }
      }
      return null;
    },
  };
}
