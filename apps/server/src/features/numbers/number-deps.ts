import type { Carrier } from "@leadline/adapter-kit/carrier";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import type { RunExclusively } from "../../db/create-exclusive-runner.ts";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { ConnectedAccount, UsedAccounts } from "../carrier-accounts/use-accounts.ts";
import type { Network } from "./holders.table.ts";
import type { NumberOrder } from "./phone-numbers.table.ts";

/** The installation's carrier whose numbers anyone can buy, although they may be a stranger's. */
export const isInstallationSandbox = (carrierId: string): boolean => carrierId === "sandbox";

export const networkOf = ({ vendor, isSandbox }: Pick<ConnectedAccount, "vendor" | "isSandbox">): Network =>
  isSandbox ? { isSandbox, carrier: vendor } : { isSandbox };

export interface NumberCarriers {
  /** The installation's carrier. */
  ofInstallation(): { id: string; carrier: Pick<Carrier, "numbers"> };
  find(carrierId: string): { name: string; carrier: Pick<Carrier, "numbers"> } | undefined;
}

/** What this feature's verbs depend on. */
export interface NumberDeps {
  database: Database;
  carriers: NumberCarriers;
  /** The organisation's own carrier that its calls go to now. Null if they use the installation's. */
  carrierInUse(organisationId: string): Promise<{ id: string; kind: string; label: string } | null>;
  accounts: UsedAccounts;
  runExclusively: RunExclusively;
  /** How many numbers an organisation can have. */
  maxNumbers: number;
  log: Log;
}

/** Guarantee: the table checks that a number once owned has its date, and its price unless an account holds it. */
export function toPhoneNumber(deps: Pick<NumberDeps, "carriers" | "accounts">, order: NumberOrder): PhoneNumber {
  const { id, number, accountId, label, isCallerId, acquiredAt, monthlyCostMicros: monthlyCost } = order;
  if (acquiredAt === null) throw new Error(`${number} was never owned`);
  return {
    id,
    number,
    provider: providerOf(deps, order),
    createdAt: acquiredAt,
    label,
    isCallerId,
    accountId,
    monthlyCost,
  };
}

export const providerOf = (
  { carriers, accounts }: Pick<NumberDeps, "carriers" | "accounts">,
  { carrier, accountId }: Pick<NumberOrder, "carrier" | "accountId">,
): string => (accountId === null ? (carriers.find(carrier)?.name ?? carrier) : accounts.nameOf(carrier));

/** The carrier that sells numbers here, whichever carrier the organisation's calls use. */
export function sellingCarrier(carriers: NumberCarriers): { id: string; numbers: NonNullable<Carrier["numbers"]> } {
  const { id, carrier } = carriers.ofInstallation();
  if (carrier.numbers) return { id, numbers: carrier.numbers };
  throw new Problem("not-supported", "Your carrier doesn’t sell phone numbers here. Buy them on its website.");
}
