import { Role } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Authenticate } from "../../http/check-access.ts";
import type { AccessTokens } from "./access-tokens.ts";

interface SessionRow {
  user_id: string;
  organisation_id: string | null;
  role: string | null;
}

/** One round trip a request: the session must live, the person be enabled, and the role is the one of this moment. */
export function createAuthenticate(deps: { database: Database; accessTokens: AccessTokens }): Authenticate {
  return async (accessToken) => {
    const claims = deps.accessTokens.read(accessToken);
    if (claims === null) return null;
    const sql = "select user_id, organisation_id, role from authenticate_session($1)";
    const [row] = await deps.database.callFunction<SessionRow>("authenticate", sql, [claims.sessionId]);
    if (row === undefined || row.user_id !== claims.userId) return null;
    const organisation = row.organisation_id === null ? null : { id: row.organisation_id, role: Role.parse(row.role) };
    return { userId: row.user_id, sessionId: claims.sessionId, organisation };
  };
}
