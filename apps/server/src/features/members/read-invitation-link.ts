import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import type { MemberDeps } from "./invite-member.ts";
import { setTokenHash } from "./invitations.table.ts";

/**
 * For admins who send the link themselves, without mail. The hash is stored again because a token derived before a
 * change of the secret key differs from today's.
 */
export async function readInvitationLink(
  { database, links }: Pick<MemberDeps, "database" | "links">,
  caller: Member,
  id: string,
): Promise<{ url: string }> {
  const token = links.tokenOf("invitation", id);
  const invitation = { id, organisationId: caller.organisation.id, tokenHash: links.hash(token) };
  const isOpen = await database.withTransaction(scopeOf(caller), (tx) => setTokenHash(tx, invitation));
  if (!isOpen) throw new Problem("not-found", "Invitation not found. It may have been accepted already.");
  return { url: await links.url("/invitation", token) };
}
