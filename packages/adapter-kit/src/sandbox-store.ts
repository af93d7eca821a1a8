import { readFileSync, renameSync, writeFileSync } from "node:fs";

export interface SandboxStore<State> {
  state: State;
  /** Replaces the whole file, so that a crash leaves either the old or the new one. */
  save(): void;
}

interface StoredState<State> {
  begin(): State;
  /** Throws if another version wrote the file. The sandbox then starts with empty state. */
  read(kept: unknown): State;
}

/** A sandbox's state, kept in a file across restarts. Null: in memory only. */
export function openSandboxStore<State extends object>(
  file: string | null,
  { begin, read }: StoredState<State>,
): SandboxStore<State> {
  const state = (file === null ? null : readKept(file, read)) ?? begin();
  return {
    state,
    save() {
      if (file === null) return;
      try {
        writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // If the disk is full, the sandbox loses its state at the next start. That must not stop the server.
      }
    },
  };
}

function readKept<State>(file: string, read: (kept: unknown) => State): State | null {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
