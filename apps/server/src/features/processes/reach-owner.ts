import { type AuditContext, auditing, currentAudit } from "../../db/audit-context.ts";
import type { Identity, Route } from "../../http/route.ts";
import type { Commands } from "./run-commands.ts";

/** A request as its route reads it, without what exists only in the receiving process. */
interface Forwarded {
  endpoint: string;
  /** Who the owner's changes are attributed to. */
  audit: AuditContext | null;
  context: { caller: Identity | null; params: unknown; query: unknown; headers: unknown; body: unknown };
}

/**
 * Wraps routes so that the process owning the request's object handles it, whichever process received it.
 * Authentication and validation happen in the receiving process. The owner's verb decides, and its response or problem
 * is sent back.
 */
export function reachOwner(routes: readonly Route[], commands: Commands): Route[] {
  const nameOf = ({ endpoint: { method, path } }: Route): string => `${method} ${path}`;
  const owned = new Map(routes.filter(({ owner }) => owner !== undefined).map((route) => [nameOf(route), route]));
  commands.serve(async (command) => {
    const { endpoint, audit, context } = asForwarded(command);
    const route = owned.get(endpoint);
    if (!route) throw new Error(`another process forwarded ${endpoint}, which this one does not know`);
    const handle = () => acceptingForwarded(route)(context);
    return audit === null ? handle() : auditing(audit, handle);
  });
  return routes.map((route) => {
    const { owner, handle } = route;
    if (owner === undefined) return route;
    return {
      ...route,
      async handle(context: never) {
        const processKey = await owner(context);
        if (processKey === null) return handle(context);
        const { caller, params, query, headers, body }: Forwarded["context"] = context;
        const asked = { caller, params, query, headers, body };
        const forwarded: Forwarded = { endpoint: nameOf(route), audit: currentAudit(), context: asked };
        return commands.ask(processKey, forwarded);
      },
    };
  });
}

/** Guarantee: a process of this installation sealed the command, in the function above. */
const asForwarded = (command: unknown): Forwarded => command as Forwarded;

/** Guarantee: the context was parsed for this route, and a route with an owner uses neither request nor reply. */
const acceptingForwarded =
  (route: Route) =>
  (context: Forwarded["context"]): Promise<unknown> =>
    route.handle({ ...context, headers: context.headers ?? {} } as never);
