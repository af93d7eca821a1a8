import type { Lead } from "@leadline/contract/leads";
import { useCallback, useMemo, useState } from "react";

/** The selected leads, within one filter. */
export function useSelection(leads: readonly Lead[], filterKey: string) {
  const [kept, setKept] = useState<{ filterKey: string; ids: ReadonlySet<string>; all: boolean }>();
  const current = kept?.filterKey === filterKey ? kept : undefined;
  const shown = useMemo(() => new Set(leads.map(({ id }) => id)), [leads]);
  // Leads that have left the list are deselected.
  const ids = useMemo(() => [...(current?.ids ?? [])].filter((id) => shown.has(id)), [current, shown]);
  const toggle = useCallback(
    (id: string, on: boolean) =>
      setKept((before) => {
        const next = new Set(before?.filterKey === filterKey ? before.ids : []);
        if (on) next.add(id);
        else next.delete(id);
        return { filterKey, ids: next, all: false };
      }),
    [filterKey],
  );
  return {
    ids,
    /** Including those not loaded yet. */
    all: current?.all ?? false,
    has: (id: string) => (current?.all ?? false) || (current?.ids.has(id) ?? false),
    toggle,
    chooseShown: () => setKept({ filterKey, ids: shown, all: false }),
    chooseAll: () => setKept({ filterKey, ids: shown, all: true }),
    clear: () => setKept(undefined),
  };
}
export type Selection = ReturnType<typeof useSelection>;
