import type { ProvisionerSandbox } from "@leadline/adapter-kit/provisioner";

export interface VendorSandbox extends ProvisionerSandbox {
  /** What an owner enters to connect it: fictitious, and the same for everybody. */
  key: Record<string, string>;
  /** Somebody calls a number that rings at a trunk here. Resolves with the final status once the call is over. */
  call(request: { from: string; to: string }): Promise<number>;
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
