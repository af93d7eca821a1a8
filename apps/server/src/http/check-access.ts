import type { Access } from "@leadline/contract/endpoint";
import { organisationHeader } from "@leadline/contract/organisation-header";
import type { Role } from "@leadline/contract/organisations";
import type { FastifyRequest } from "fastify";
import { type Addressed, addressOf } from "./address-of.ts";
import { Problem } from "./problem.ts";
import type { Identity } from "./route.ts";

/** Resolves to the access token's owner, if the session is still valid. */
export type Authenticate = (accessToken: string) => Promise<Identity | null>;

/** The parts of a request that access depends on. */
interface Asking extends Addressed {
  headers: Pick<FastifyRequest["headers"], "authorization"> & { [organisationHeader]?: unknown };
  log: Pick<FastifyRequest["log"], "warn">;
}

const rank = { analyst: 0, member: 1, admin: 2, owner: 3 } as const satisfies Record<Role, number>;

const refusals = {
  analyst: "You can’t do this.",
  member: "You have read-only access. Ask an admin to make you a member.",
  admin: "Only an admin can do this.",
  owner: "Only an owner can do this.",
} as const satisfies Record<Role, string>;

/** For verbs that check the role themselves, because they also handle a user's own things. */
export const readOnly = (): Problem => new Problem("not-allowed", refusals.member);

/** Returns the caller if this endpoint admits them. Refusals are logged with their reason. */
export async function checkAccess(
  access: Access,
  request: Asking,
  authenticate: Authenticate,
): Promise<Identity | null> {
  if (access === "public") return null;
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? "")?.[1];
  const identity = token === undefined ? null : await authenticate(token);
  if (identity === null) {
    request.log.warn(
      { security: "authentication-failed", ip: addressOf(request), given: token !== undefined },
      "not signed in",
    );
    throw new Problem("not-signed-in", "Your session has ended, or you’re not logged in. Log in to continue.");
  }
  if (access !== "signed-in" && identity.organisation === null) {
    throw new Problem("no-organisation", "You need to be part of an organisation to use this feature.");
  }
  const meant = request.headers[organisationHeader];
  if (meant !== undefined && meant !== identity.organisation?.id) {
    throw new Problem(
      "organisation-switched",
      "You’ve switched to another organisation, so nothing was done. Switch back to continue.",
    );
  }
  if (access === "signed-in" || identity.organisation === null) return identity;
  if (rank[identity.organisation.role] < rank[access]) {
    const { userId, organisation } = identity;
    request.log.warn(
      { security: "authorisation-failed", userId, organisationId: organisation.id, needs: access },
      "role too low",
    );
    throw new Problem("not-allowed", refusals[access]);
  }
  return identity;
}
