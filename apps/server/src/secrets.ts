import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

/** Derives a key per purpose, none of which reveals another (HKDF, RFC 5869). 32 bytes. */
export interface DeriveKey {
  (purpose: string): Buffer;
  /** The same, derived from the replaced keys that are still accepted. */
  previous?(purpose: string): Buffer[];
}

/** Identifies a derived key without revealing it. */
export const keyIdOf = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 8);

/** From SECRET_KEY, or from a key generated at the first start and stored with the data. */
export function readSecrets(
  config: Pick<Config, "secretKey" | "dataDir"> & Partial<Pick<Config, "previousSecretKeys">>,
): DeriveKey {
  const secret = config.secretKey ?? readOrMakeSecret(config.dataDir);
  const derive = (from: string, purpose: string) => Buffer.from(hkdfSync("sha256", from, "leadline", purpose, 32));
  return Object.assign((purpose: string) => derive(secret, purpose), {
    previous: (purpose: string) => (config.previousSecretKeys ?? []).map((former) => derive(former, purpose)),
  });
}

function readOrMakeSecret(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}
