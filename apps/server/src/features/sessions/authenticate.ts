import { Role } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Authenticate } from "../../http/check-access.ts";
import type { AccessTokens } from "./access-tokens.ts";

interface SessionRow {
  session_id: string;
  user_id: string;
  organisation_id: string | null;
  role: string | null;
}

/** The session must be alive and the user enabled; the role is the current one. */
export function createAuthenticate(deps: { database: Database; accessTokens: AccessTokens }): Authenticate {
  const findSession = createFindSession(deps.database);
  return async (accessToken) => {
    const claims = deps.accessTokens.read(accessToken);
    if (claims === null) return null;
    const row = await findSession(claims.sessionId);
    if (row === undefined || row.user_id !== claims.userId) return null;
    const organisation = row.organisation_id === null ? null : { id: row.organisation_id, role: Role.parse(row.role) };
    return { userId: row.user_id, sessionId: claims.sessionId, organisation };
  };
}

/** Finds live sessions; look-ups within one turn of the event loop share one query. */
function createFindSession(database: Database): (id: string) => Promise<SessionRow | undefined> {
  const sql = "select session_id, user_id, organisation_id, role from authenticate_sessions($1)";
  let looking: { ids: Set<string>; found: Promise<Map<string, SessionRow>> } | null = null;
  const look = async (ids: Set<string>) => {
    const rows = await database.callFunction<SessionRow>("authenticate", sql, () => {
      looking = null;
      return [[...ids]];
    });
    return new Map(rows.map((row) => [row.session_id, row]));
  };
  return async (id) => {
    if (looking === null) {
      const ids = new Set<string>();
      looking = { ids, found: look(ids) };
    }
    const { ids, found } = looking;
    ids.add(id);
    return (await found).get(id);
  };
}
