import { isSearch, shortestSearch } from "@leadline/contract/leads";

/** Why a search box doesn't search for the typed text yet. */
export function ShortSearch({ typed }: { typed: string }) {
  return (
    <output className="basis-full text-xs text-ink-soft empty:hidden">
      {typed.trim() !== "" && !isSearch(typed) ? `Type at least ${shortestSearch} characters to search.` : null}
    </output>
  );
}
