import type { Database } from "../../db/database.ts";
import type { RefreshTokenChain } from "./refresh-token-chain.ts";
import { adoptRefreshTokens } from "./sessions.table.ts";

/** At start: refresh tokens from before their key was kept end with the key of this moment. */
export const adoptTokens = (database: Database, { keyId }: RefreshTokenChain): Promise<void> =>
  database.withTransaction({ system: "refresh tokens of everybody" }, (tx) => adoptRefreshTokens(tx, keyId));
