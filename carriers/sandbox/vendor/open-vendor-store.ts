import { openSandboxStore, type SandboxStore } from "@leadline/adapter-kit/sandbox-store";

/** Guarantee: only this sandbox writes the file, so it contains a State, possibly without fields that were added later. */
export const openVendorStore = <State extends object>(file: string | null, empty: State): SandboxStore<State> =>
  openSandboxStore(file, {
    begin: () => structuredClone(empty),
    read: (kept) => ({ ...structuredClone(empty), ...(kept as Partial<State>) }),
  });
