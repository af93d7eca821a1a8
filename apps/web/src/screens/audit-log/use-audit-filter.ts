import { AuditFilter as Filter } from "@leadline/contract/audit-log";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { AuditFilter } from "../../data/audit-log-query.ts";

/** The filter is in the URL, so that a reload and a shared link show the same entries. */
export function useAuditFilter() {
  const given = useSearch({ from: "/signed-in/settings/audit-log" });
  // Unknown filters in the address are ignored.
  const filter: AuditFilter = Object.fromEntries(
    Object.entries(Filter.shape).flatMap(([name, schema]) => {
      const text = schema.safeParse(given[name as keyof typeof given]).data;
      return text ? [[name, text] as const] : [];
    }),
  );
  const navigate = useNavigate();
  return {
    filter,
    /** Omits empty texts. */
    change(change: AuditFilter): void {
      const search = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, text]) => text !== ""));
      void navigate({ to: "/settings/audit-log", search, replace: true, resetScroll: false });
    },
    clear: (): void => void navigate({ to: "/settings/audit-log", search: {}, replace: true, resetScroll: false }),
  };
}
