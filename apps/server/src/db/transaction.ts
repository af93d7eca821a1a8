import type { Kysely } from "kysely";
import { escapeLiteral } from "pg";
import { z } from "zod";
import { currentAudit } from "./audit-context.ts";
import type { Statement } from "./bursts.ts";
import type { Schema } from "./schema.ts";

/** Queries inside one transaction, under row-level security for its scope. */
export type Tx = Kysely<Schema>;

/**
 * Whose rows a transaction can access. `system` sees every organisation: state why, and use it only if no one is logged
 * in. `by`: on whose behalf, so that one organisation's many transactions wait for each other and not for those of
 * another. `forLiveCall`: it queues with the organisation's live calls, not with its requests.
 */
export type Scope = { userId?: string; organisationId?: string; forLiveCall?: true } | { system: string; by?: string };

export type WithTransaction = <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;

const Uuid = z.uuid();

/**
 * BEGIN and the scope in one round trip. The settings are local to the transaction, so nothing leaks through the pool.
 */
export function beginStatement(scope: Scope, mode: "read write" | "read only" = "read write"): string {
  const audit = mode === "read write" ? currentAudit() : null;
  // The audit log's triggers read it (audited-tables.ts).
  const actor = audit === null ? "" : `, set_config('app.audit', ${escapeLiteral(JSON.stringify(audit))}, true)`;
  if ("system" in scope) return `begin ${mode}; select set_config('app.scope', 'system', true)${actor}`;
  const user = scope.userId === undefined ? "" : Uuid.parse(scope.userId);
  const organisation = scope.organisationId === undefined ? "" : Uuid.parse(scope.organisationId);
  return `begin ${mode}; select set_config('app.user_id', '${user}', true), set_config('app.organisation_id', '${organisation}', true)${actor}`;
}

/** The scope alone, for a transaction that its first statement begins implicitly. */
export function scopeStatement(scope: Scope): Statement {
  if ("system" in scope)
    return { name: "scope of the system", text: "select set_config('app.scope', 'system', true)", values: [] };
  return {
    name: "scope",
    text: "select set_config('app.user_id', $1, true), set_config('app.organisation_id', $2, true)",
    values: [scope.userId ?? "", scope.organisationId ?? ""],
  };
}
