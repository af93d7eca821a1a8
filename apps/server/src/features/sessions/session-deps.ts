import type { Database } from "../../db/database.ts";
import type { Registration } from "@leadline/contract/hosted-login";
import type { AccessTokens } from "./access-tokens.ts";
import type { RefreshTokenChain } from "./refresh-token-chain.ts";

/** What the sign-in verbs depend on. */
export interface SessionDeps {
  database: Database;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokenChain;
  /** Open by default. */
  registration?: Registration;
}

/** Where a request comes from, as shown in the session list. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}
