import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

/** A key for one purpose, so that none of them tells anything about another (HKDF, RFC 5869). 32 bytes. */
export type DeriveKey = (purpose: string) => Buffer;

/** From SECRET_KEY, or from one made at the first start and kept beside the data. */
export function readSecrets(config: Pick<Config, "secretKey" | "dataDir">): DeriveKey {
  const secret = config.secretKey ?? readOrMakeSecret(config.dataDir);
  return (purpose) => Buffer.from(hkdfSync("sha256", secret, "leadline", purpose, 32));
}

function readOrMakeSecret(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}
