import { openSandboxStore, type SandboxStore } from "@leadline/adapter-kit/sandbox-store";

/** Guarantee: only this sandbox writes the file, so what it keeps is a State but for fields that were added since. */
export const openVendorStore = <State extends object>(file: string | null, empty: State): SandboxStore<State> =>
  openSandboxStore(file, {
    begin: () => structuredClone(empty),
    read: (kept) => ({ ...structuredClone(empty), ...(kept as Partial<State>) }),
  });
