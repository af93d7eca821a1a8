import type { ProvisionerSandbox } from "@leadline/adapter-kit/provisioner";
import type { EndedCall } from "../sip/sip-server.ts";

interface AddedRecord {
  id?: string;
  trunk: string;
  from: string;
  to: string;
  startedAt: Date;
  /** From the answer. */
  seconds: number;
}

/** As the SIP server would have reported its end. */
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
  /** What an owner enters to connect it: fictitious, and the same for everybody. */
  key: Record<string, string>;
  /** Somebody calls a number that rings at a trunk here. Resolves with the final status once the call is over. */
  call(request: { from: string; to: string }): Promise<number>;
  /**
   * Lists a call that was never made, for tests: through the trunk of this name. Returns its id, by which SIP would have named it; the same
   * id again is listed twice.
   */
  addRecord(record: AddedRecord): string;
  /** What the account holds, for tests. */
  counts(): { trunks: number; credentialLists: number; originationUrls: number; numbers: number; charges: number };
  /** Calls that exceeded the trunk's limits. */
  rejections(): number;
  close(): Promise<void>;
}

export interface VendorSandboxOptions {
  /** Where it keeps what was made; null forgets it. */
  file: string | null;
  /** New calls a second on one trunk, and how many at once. */
  limits?: { callsPerSecond: number; channels: number | null };
}
export type StartVendorSandbox = (options: VendorSandboxOptions) => Promise<VendorSandbox>;
