import type { Limits, MemberLimits, UpdateLimitsInput, UpdateMemberLimitsInput } from "@leadline/contract/limits";
import { isSupportedCountry } from "libphonenumber-js/max";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import type { AlertOwners } from "../members/alert-owners.ts";
import { requireMemberToChange } from "../members/require-member-to-change.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { readLimits, selectMemberLimits, takeTurnAtLimits, writeLimits, writeMemberLimits } from "./limits.table.ts";
import { raisedLimits, widerThan } from "./raised-limits.ts";

export interface LimitDeps {
  database: Database;
  alertOwners: AlertOwners;
}

export const getLimits = (database: Database, caller: Member): Promise<Limits> =>
  database.withTransaction(scopeOf(caller), (tx) => presentLimits(tx, caller));

export const listMemberLimits = (database: Database, caller: Member) =>
  database.withTransaction(scopeOf(caller), (tx) => selectMemberLimits(tx, caller.organisation.id));

/** Applies from the next call on. Only the limits on length and spending end live calls. */
export async function changeLimits(
  deps: LimitDeps,
  caller: Member,
  { currentPassword, ...given }: z.output<typeof UpdateLimitsInput>,
): Promise<Limits> {
  const organisationId = caller.organisation.id;
  const change = { ...given, allowedCountries: inOrder(given.allowedCountries) };
  return confirmedIfLoosened(deps.database, caller, currentPassword, async (tx, confirmed) => {
    const { organisation } = await readLimits(tx, { organisationId, userId: caller.userId });
    const sentences = raisedLimits(organisation.limits, change);
    if (!confirmed && sentences.length > 0) throw raisingTakesPassword();
    await writeLimits(tx, organisationId, change);
    if (sentences.length > 0) await deps.alertOwners(tx, caller, { sentences, page: "/settings/limits" });
    return presentLimits(tx, caller);
  });
}

/** Limits within the organisation’s current ones. Only an owner may change an owner’s. */
export async function changeMemberLimits(
  deps: LimitDeps,
  caller: Member,
  {
    userId,
    change: { currentPassword, ...given },
  }: { userId: string; change: z.output<typeof UpdateMemberLimitsInput> },
): Promise<MemberLimits> {
  const key = { organisationId: caller.organisation.id, userId };
  const change = { ...given, allowedCountries: given.allowedCountries && inOrder(given.allowedCountries) };
  return confirmedIfLoosened(deps.database, caller, currentPassword, async (tx, confirmed) => {
    const { firstName, lastName } = await requireMemberToChange(tx, caller, userId);
    const { organisation, member } = await readLimits(tx, key);
    const wider = widerThan(organisation.limits, change);
    if (wider.length > 0)
      throw invalidInput(
        wider.map((name) => ({ path: [name], message: "A member’s limit can’t be wider than the organisation’s." })),
      );
    const sentences = raisedLimits(member.limits, change);
    if (!confirmed && sentences.length > 0) throw raisingTakesPassword();
    await writeMemberLimits(tx, key, change);
    if (sentences.length > 0)
      await deps.alertOwners(tx, caller, {
        sentences: [`These are the limits of ${firstName} ${lastName} alone.`, ...sentences],
        page: "/settings/limits",
      });
    return (await readLimits(tx, key)).member.limits;
  });
}

const raisingTakesPassword = (): Problem => passwordRequired("raise or remove a limit");

/** `write` throws if the change loosens a limit and the password isn’t confirmed. Changes take turns. */
function confirmedIfLoosened<T>(
  database: Database,
  caller: Member,
  currentPassword: string | undefined,
  write: (tx: Tx, confirmed: boolean) => Promise<T>,
): Promise<T> {
  return confirmedIfRequired(database, caller, currentPassword, (confirmed) =>
    database.withTransaction(scopeOf(caller), async (tx) => {
      await takeTurnAtLimits(tx, caller.organisation.id);
      return write(tx, confirmed);
    }),
  );
}

async function presentLimits(tx: Tx, { organisation: { id: organisationId }, userId }: Member): Promise<Limits> {
  const { organisation, member } = await readLimits(tx, { organisationId, userId });
  const { firstMinutes: _, ...used } = organisation.used;
  return { ...organisation.limits, used, own: member.limits };
}

function inOrder<C extends string[] | undefined>(countries: C): C | string[] {
  if (countries?.some((country) => !isSupportedCountry(country)))
    throw invalidInput([{ path: ["allowedCountries"], message: "Choose countries that have phone numbers." }]);
  return countries && [...new Set(countries)].toSorted();
}
