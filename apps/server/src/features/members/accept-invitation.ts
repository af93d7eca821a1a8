import type { ReadInvitation } from "@leadline/contract/members";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";
import { activateOrganisation } from "../users/set-active-organisation.ts";
import { findInvitation, takeInvitation } from "./invitations.table.ts";
import { insertMembership } from "./members.table.ts";

interface LinkDeps {
  database: Database;
  links: MailedLinks;
}
export interface JoinHook {
  /** Called in the transaction that creates the membership. */
  onJoined(tx: Tx, joined: { organisationId: string; userId: string }): Promise<void>;
}
interface Link {
  token: string;
  ip: string;
}

export async function readInvitation(deps: LinkDeps, { token, ip }: Link): Promise<ReadInvitation> {
  await countLinkAttempt(deps, ip);
  const scope = { system: "a mailed link says which invitation; no one is signed in", by: throttledAddress(ip) };
  const found = await deps.database.withTransaction(scope, (tx) =>
    findInvitation(tx, { tokenHash: deps.links.hash(token) }),
  );
  if (found === undefined) throw linkInvalid();
  return found;
}

/** The link itself is the invitation, whatever the account's address: it was sent to one inbox and works once. */
export async function acceptInvitation(
  deps: LinkDeps & JoinHook,
  caller: Identity,
  { token, ip }: Link,
): Promise<{ organisationId: string }> {
  await countLinkAttempt(deps, ip);
  const scope = { system: "a mailed link says which organisation to join", by: caller.userId };
  return deps.database.withTransaction(scope, async (tx) => {
    const taken = await takeInvitation(tx, deps.links.hash(token));
    if (taken === undefined) throw linkInvalid();
    const { organisationId, role } = taken;
    await insertMembership(tx, { organisationId, userId: caller.userId, role });
    await deps.onJoined(tx, { organisationId, userId: caller.userId });
    await activateOrganisation(tx, caller, organisationId);
    return { organisationId };
  });
}

const countLinkAttempt = ({ database }: LinkDeps, ip: string): Promise<void> =>
  countAttempts(database.withTransaction, "invitation link", { by: throttledAddress(ip), most: 100 });

const linkInvalid = (): Problem =>
  new Problem(
    "link-invalid",
    "This invitation has been used, withdrawn or has expired. Ask the person who invited you for a new one.",
  );
