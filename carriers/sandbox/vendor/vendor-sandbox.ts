import type { ProvisionerSandbox } from "@leadline/adapter-kit/provisioner";
import type { EndedCall } from "../sip/sip-server.ts";

interface AddedRecord {
  id?: string;
  trunk: string;
  from: string;
  to: string;
  startedAt: Date;
  /** Since the answer. */
  seconds: number;
}

/** How the SIP server would have reported the call's end. */
export const endedOf = (
  { from, to, startedAt, seconds }: AddedRecord,
  { id, trunkId }: { id: string; trunkId: string },
): EndedCall => ({
  id,
  trunkId,
  from,
  to,
  startedAt,
  answeredAt: startedAt,
  endedAt: new Date(startedAt.getTime() + seconds * 1_000),
});

export interface VendorSandbox extends ProvisionerSandbox {
  /** The API key that an owner enters to connect the sandbox. Fictitious, and the same everywhere. */
  key: Record<string, string>;
  /**
   * Calls a number that rings at one of the sandbox's trunks. Resolves to the final status when the call is over.
   * `isVerified`: whether the vendor verified the caller's number, if it has a header for that.
   */
  call(request: { from: string; to: string; isVerified?: boolean }): Promise<number>;
  /**
   * Adds a call record without a call, for tests, on the trunk with this name. Returns the id that SIP would have
   * shown. The same id can be added twice.
   */
  addRecord(record: AddedRecord): string;
  /** What the account contains, for tests. */
  counts(): { trunks: number; credentialLists: number; originationUrls: number; numbers: number; charges: number };
  /** The account gets what the country requires for a local number, for tests. */
  meetRequirements(countryCode: string): void;
  /** From now on, the account may show this number, which it doesn't have itself, for tests. */
  verifyCallerId(number: string): void;
  /** Calls to a number of the account go elsewhere from now on, without a trunk, for tests. */
  useElsewhere(number: string): Promise<void>;
  /** The number of calls rejected for exceeding the trunk's limits, or for their caller ID. */
  rejections(): number;
  close(): Promise<void>;
}

export interface VendorSandboxOptions {
  /** The file that the state is kept in. Null: in memory only. */
  file: string | null;
  /** New calls a second and simultaneous calls on one trunk. */
  limits?: { callsPerSecond: number; channels: number | null };
}
export type StartVendorSandbox = (options: VendorSandboxOptions) => Promise<VendorSandbox>;
