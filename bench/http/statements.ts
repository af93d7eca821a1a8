import type { Pool, QueryResult } from "pg";

interface Whose {
  userId: string;
  organisationId: string;
}

/** Ended calls of one user, so that a page of the log is full. */
export async function seedCalls(owner: Pool, of: Whose & { count: number }): Promise<void> {
  await asSystem(
    owner,
    `insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, carrier,
       answered_at, ended_at, duration_ms, reason, sip, q850, process_key)
     select 'CA' || md5(n::text), $1, $2, 'outbound', 'completed', '+12025550100', '+12025550100', 'sandbox',
       now(), now(), 42000, 'hung-up-here', 200, 16, 0
     from generate_series(1, $3::int) n`,
    [of.organisationId, of.userId, of.count],
  );
}

async function asSystem(owner: Pool, statement: string, values: unknown[]): Promise<QueryResult> {
  const client = await owner.connect();
  try {
    await client.query("begin; select set_config('app.scope', 'system', true)");
    const result = await client.query(statement, values);
    await client.query("commit");
    return result;
  } finally {
    client.release();
  }
}

/** Each endpoint's database statements as a pgbench script: the session, the scope, the rows, all as the app's role. */
export async function statementsOf(owner: Pool, whose: Whose): Promise<Record<"/v1/users/me" | "/v1/calls", string>> {
  const { userId, organisationId } = whose;
  const sessions = "select id from sessions where user_id = $1";
  const sessionId = String((await asSystem(owner, sessions, [userId])).rows[0]?.id);
  const start = (organisation: string) => `
    set role leadline_app;
    select user_id, organisation_id, role from authenticate_sessions('{${sessionId}}');
    begin;
    select set_config('app.user_id', '${userId}', true), set_config('app.organisation_id', '${organisation}', true);`;
  return {
    "/v1/users/me": `${start("")}
      select id, first_name, last_name, email, avatar from users where id = '${userId}';
      select organisations.*, memberships.role from users
        join memberships on memberships.user_id = users.id and memberships.organisation_id = users.active_organisation_id
        join organisations on organisations.id = memberships.organisation_id where users.id = '${userId}';
      commit;`.replaceAll(/\s*\n\s*(?=join|where)/g, " "),
    "/v1/calls": `${start(organisationId)}
      select calls.*, first_name, last_name from calls left join users on users.id = calls.user_id where calls.organisation_id = '${organisationId}' order by calls.id desc limit 50;
      commit;`,
  };
}
