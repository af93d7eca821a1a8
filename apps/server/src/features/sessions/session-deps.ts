import type { Database } from "../../db/database.ts";
import type { Registration } from "@leadline/contract/hosted-login";
import type { AccessTokens } from "./access-tokens.ts";
import type { RefreshTokenChain } from "./refresh-token-chain.ts";

/** What the verbs of sign-in work with. */
export interface SessionDeps {
  database: Database;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokenChain;
  /** Open, where nothing is said. */
  registration?: Registration;
}

/** Where a request comes from, as the session list shows it. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}
