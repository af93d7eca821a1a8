import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import type { ExplainedRefusal, Provisioner } from "@leadline/adapter-kit/provisioner";
import type { CallerVerification } from "@leadline/contract/caller-verification";
import type { Tx } from "../../db/transaction.ts";
import { type AccountDeps, noAccount, trunkName } from "./account-deps.ts";
import { openSecrets } from "./account-secrets.ts";
import {
  findAccount,
  findSealed,
  isUsable,
  lockAccount,
  selectAccounts,
  selectUsable,
  type StoredAccount,
} from "./carrier-accounts.table.ts";
import { openProvisioner } from "./open-provisioner.ts";

export interface ConnectedAccount extends Pick<
  StoredAccount,
  "id" | "organisationId" | "vendor" | "label" | "isSandbox" | "carrierId"
> {
  vendorName: string;
  /** The trunk's name at the vendor. */
  trunk: string;
}

/** The far end chooses it: accepts only what the database can store. */
const callIdShape = /^[\x21-\x7e]{1,200}$/;

/** What other features can do with connected accounts. */
export function useAccounts(deps: AccountDeps) {
  const nameOf = (vendor: string): string => deps.modules.find(({ id }) => id === vendor)?.name ?? vendor;
  const toConnected = (stored: StoredAccount): ConnectedAccount => {
    const { id, organisationId, vendor, label, isSandbox, carrierId } = stored;
    return {
      id,
      organisationId,
      vendor,
      label,
      isSandbox,
      carrierId,
      vendorName: nameOf(vendor),
      trunk: trunkName(stored),
    };
  };
  return {
    nameOf,
    /** The call's identifier in a vendor's SIP headers. Null if there is none. */
    callIdIn(headers: Record<string, string>): string | null {
      const found = deps.modules.map(({ callIdHeader }) => headers[callIdHeader]?.trim()).find(Boolean);
      return found !== undefined && callIdShape.test(found) ? found : null;
    },
    /**
     * What the vendor says about an inbound caller's number. Null if it says nothing. Counts only on the carrier of the
     * vendor's account, because anybody can write a header.
     */
    async callerVerification(
      tx: Tx,
      { organisationId, carrierId }: { organisationId: string; carrierId: string },
      headers: Record<string, string>,
    ): Promise<CallerVerification | null> {
      const isSaid = deps.modules.some(({ verifiesCaller }) => (verifiesCaller?.(headers) ?? null) !== null);
      const accounts = isSaid ? await selectAccounts(tx, organisationId) : [];
      const vendor = accounts.find((account) => account.carrierId === carrierId)?.vendor;
      return deps.modules.find(({ id }) => id === vendor)?.verifiesCaller?.(headers) ?? null;
    },
    /** Explains a refusal in the vendor's terms, if the carrier belongs to an account. Null if it can't. */
    async explainRefusal(
      { organisationId, carrierId }: { organisationId: string; carrierId: string },
      { status, reason, headers }: CarrierRefusal,
    ): Promise<ExplainedRefusal | null> {
      const accounts = await deps.database.withTransaction({ organisationId }, (tx) =>
        selectAccounts(tx, organisationId),
      );
      const vendor = accounts.find((account) => account.carrierId === carrierId)?.vendor;
      const module = deps.modules.find(({ id }) => id === vendor);
      return module?.explainRefusal(status, reason, headers) ?? null;
    },
    /** Whether the carrier is an account's trunk, whose vendor refuses calls that show none of the account's numbers. */
    needsNumber: async (tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<boolean> =>
      (await selectAccounts(tx, carrier.organisationId)).some(({ carrierId }) => carrierId === carrier.carrierId),
    /** Whether the carrier leads to a vendor's sandbox, which reaches no phone. */
    isSandbox: async (tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<boolean> =>
      (await selectAccounts(tx, carrier.organisationId)).some(
        ({ carrierId, isSandbox }) => isSandbox && carrierId === carrier.carrierId,
      ),
    /** Oldest first. */
    list: async (tx: Tx, organisationId: string): Promise<ConnectedAccount[]> =>
      (await selectAccounts(tx, organisationId)).filter(isUsable).map(toConnected),
    /** Of all organisations. Needs the system scope. */
    listEvery: async (tx: Tx): Promise<ConnectedAccount[]> => (await selectUsable(tx)).map(toConnected),
    /** Until the transaction ends, the account isn't disconnected. Rejects with `not-found` if that has begun. */
    async keepConnected(tx: Tx, key: { organisationId: string; id: string }): Promise<void> {
      const account = await lockAccount(tx, key);
      if (!account || account.state === "disconnecting") throw noAccount();
    },
    /** Rejects with `not-found` unless the organisation has this account, and with the vendor's ProvisionerError. */
    async use<T>(
      key: { organisationId: string; id: string },
      work: (provisioner: Provisioner, account: ConnectedAccount) => Promise<T>,
    ): Promise<T> {
      const { organisationId, id } = key;
      const { account, sealed } = await deps.database.withTransaction({ organisationId }, async (tx) => ({
        account: await findAccount(tx, { organisationId, id }),
        sealed: await findSealed(tx, { organisationId, id }),
      }));
      if (!account || account.state === "disconnecting") throw noAccount();
      const { provisioner } = await openProvisioner(deps, account, openSecrets(deps.sealer, key, sealed?.used ?? null));
      return work(provisioner, toConnected(account)).finally(() => provisioner.close());
    },
  };
}
export type UsedAccounts = ReturnType<typeof useAccounts>;
