import { onTestFinished } from "vitest";
import { rowQuotas } from "../features/organisations/refuse-over-row-quota.ts";

/** Until the test ends, for every organisation: millions of rows would take too long to add. */
export function lowerRowQuota(table: keyof typeof rowQuotas, most: number): void {
  const before = rowQuotas[table];
  rowQuotas[table] = most;
  onTestFinished(() => {
    rowQuotas[table] = before;
  });
}
