import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { confirmedIfMayRaiseLimits } from "./confirmed-if-may-raise-limits.ts";
import type { MemberDeps } from "./invite-member.ts";
import { setTokenHash } from "./invitations.table.ts";

/**
 * For admins who send the link themselves, without mail. The hash is stored again because a token derived before a
 * change of the secret key differs from today's. Whoever has an admin’s link can become one, so it takes the password.
 */
export async function readInvitationLink(
  { database, links }: Pick<MemberDeps, "database" | "links">,
  caller: Member,
  { id, currentPassword }: { id: string; currentPassword?: string | undefined },
): Promise<{ url: string }> {
  const token = links.tokenOf("invitation", id);
  const invitation = { id, organisationId: caller.organisation.id, tokenHash: links.hash(token) };
  await confirmedIfMayRaiseLimits(database, caller, currentPassword, (grant) =>
    database.withTransaction(scopeOf(caller), async (tx) => {
      const role = await setTokenHash(tx, invitation);
      if (role === undefined)
        throw new Problem("not-found", "Invitation not found. It may have been accepted already.");
      grant(role);
    }),
  );
  return { url: await links.url("/invitation", token) };
}
