import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** What a sandbox vendor knows, kept in a file across restarts; null forgets it. */
export function openStore<State extends object>(file: string | null, empty: State): { state: State; save(): void } {
  const state = { ...empty, ...readKept<State>(file) };
  return {
    state,
    save() {
      if (file === null) return;
      try {
        writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // A full disk costs the sandbox its memory at the next start, and nobody their server.
      }
    },
  };
}

/** Guarantee: nobody but this writes the file. */
function readKept<State>(file: string | null): Partial<State> {
  try {
    return file === null ? {} : (JSON.parse(readFileSync(file, "utf8")) as Partial<State>);
  } catch {
    return {};
  }
}
