import type { BalanceSettings, BalanceSettingsInput } from "@leadline/contract/top-ups";
import type { z } from "zod";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { scopeOf } from "../../../http/scope-of.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { inDollars } from "../../../in-dollars.ts";
import type { AlertOwners } from "../../members/alert-owners.ts";
import { confirmedIfRequired, passwordRequired } from "../../users/confirm-password.ts";
import type { TopUpDeps } from "../top-up-deps.ts";
import { lockTopUps } from "../top-ups.table.ts";
import {
  forgetMethod,
  readBalanceSettings,
  type StoredBalanceSettings,
  writeBalanceSettings,
} from "./balance-settings.table.ts";

export const getBalanceSettings = (deps: TopUpDeps, caller: Member): Promise<BalanceSettings> =>
  deps.database.readInTransaction(scopeOf(caller), async (tx) =>
    present(deps, await readBalanceSettings(tx, caller.organisation.id)),
  );

type Change = z.output<typeof BalanceSettingsInput>;

/** Automatic top-ups charge without asking, so turning them on, resuming or raising them requires the password. */
export async function changeBalanceSettings(
  deps: TopUpDeps & { alertOwners: AlertOwners },
  caller: Member,
  { currentPassword, savedMethod, ...change }: Change,
): Promise<BalanceSettings> {
  const organisationId = caller.organisation.id;
  const write = (isConfirmed: boolean) =>
    deps.database.withTransaction(scopeOf(caller), async (tx: Tx) => {
      await lockTopUps(tx, organisationId);
      const before = await readBalanceSettings(tx, organisationId);
      const forgets = savedMethod === null;
      const wider = change.automatic && widens(before, change.automatic) ? change.automatic : null;
      if (change.automatic) {
        if (forgets || !isUsable(deps, before))
          throw new Problem("no-saved-method", "Save a payment method first: choose it when you top up.");
        if (!isConfirmed && wider) throw passwordRequired("let Leadline charge the saved payment method");
      }
      if (forgets) await forgetMethod(tx, organisationId);
      await writeBalanceSettings(tx, organisationId, { ...change, ...(forgets && { automatic: null }) });
      if (wider) await deps.alertOwners(tx, caller, { sentences: [inWords(wider, before)], page: "/settings/billing" });
      await publishLiveEvent(tx, { organisationId, type: "billing.changed", data: {} });
      return present(deps, await readBalanceSettings(tx, organisationId));
    });
  return confirmedIfRequired(deps.database, caller, currentPassword, write);
}

const widens = (
  { automatic: before, pausedWhy }: StoredBalanceSettings,
  after: NonNullable<BalanceSettings["automatic"]>,
): boolean =>
  before === null ||
  pausedWhy !== null ||
  (["belowMicros", "amountMicros", "monthLimitMicros"] as const).some((name) => after[name] > before[name]);

const inWords = (
  { belowMicros, amountMicros, monthLimitMicros }: NonNullable<BalanceSettings["automatic"]>,
  { saved }: StoredBalanceSettings,
): string =>
  `Automatic top-up is on: Leadline adds ${inDollars(amountMicros)} with ${saved?.name ?? "the saved payment method"} when the balance falls below ${inDollars(belowMicros)}, up to ${inDollars(monthLimitMicros)} a month.`;

/** A method saved by another provider can’t be charged by this one. */
const isUsable = ({ payments: { inUse } }: TopUpDeps, { saved }: StoredBalanceSettings): boolean =>
  saved !== null && saved.provider === inUse?.module.id && inUse.provider.savedMethods !== undefined;

function present(deps: TopUpDeps, stored: StoredBalanceSettings): BalanceSettings {
  const { saved, ...settings } = stored;
  return {
    ...settings,
    savedMethod: saved !== null && isUsable(deps, stored) ? saved.name : null,
    canSaveMethod: deps.payments.inUse?.provider.savedMethods !== undefined,
  };
}
