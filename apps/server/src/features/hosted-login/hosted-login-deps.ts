import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DeriveKey } from "../../secrets.ts";
import type { SessionDeps } from "../sessions/session-deps.ts";
import type { LoginProvider } from "./login-provider.ts";

export interface HostedLoginDeps extends SessionDeps {
  deriveKey: DeriveKey;
  /** Null if none is configured. */
  provider: LoginProvider | null;
}

/**
 * One login in progress. The proof stays in the browser that started it. The state, which travels, contains the path
 * and the proof's hash. The verifier and nonce are derived from the proof with a key that only the server has.
 */
export function openTransaction(deriveKey: DeriveKey, proof: string) {
  const key = deriveKey("hosted login");
  const derive = (purpose: string) => createHmac("sha256", key).update(`${purpose}:${proof}`).digest("base64url");
  const proofHash = createHash("sha256").update(proof).digest("base64url");
  return {
    codeVerifier: derive("code verifier"),
    nonce: derive("nonce"),
    stateFor: (path: string | undefined): string =>
      Buffer.from(JSON.stringify({ ...(path !== undefined && { path }), proof: proofHash })).toString("base64url"),
    isOf(state: string): boolean {
      try {
        const carried: unknown = JSON.parse(Buffer.from(state, "base64url").toString());
        return typeof carried === "object" && carried !== null && "proof" in carried && carried.proof === proofHash;
      } catch {
        return false;
      }
    },
  };
}

export const newProof = (): string => randomBytes(32).toString("base64url");

export const hashState = (state: string): Buffer => createHash("sha256").update(state).digest();
