import { readFileSync, renameSync, writeFileSync } from "node:fs";

export interface SandboxStore<State> {
  state: State;
  /** Replaces the file as a whole, so that a crash leaves the former or the new one. */
  save(): void;
}

interface StoredState<State> {
  begin(): State;
  /** Throws for what this version didn't write: the sandbox then begins anew. */
  read(kept: unknown): State;
}

/** What a sandbox knows, kept in a file across restarts; with null it is lost at the end. */
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
        // A full disk costs the sandbox its memory at the next start, and must not stop the server.
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
