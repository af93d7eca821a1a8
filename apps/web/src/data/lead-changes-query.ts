import { type LeadChangeInput, changeLeads, listLeadChanges, undoLeadChange } from "@leadline/contract/lead-changes";
import { queryOptions } from "@tanstack/react-query";
import { toast } from "sonner";
import { request } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";
import { problemDetail } from "./problem-error.ts";
import { queryClient } from "./query-client.ts";

const runningMs = 1_000;

/** Below the leads' key: any change of leads may be one of these. */
export const leadChangesQuery = queryOptions({
  queryKey: [...leadsKey, "changes"],
  queryFn: ({ signal }) => request(listLeadChanges, {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.some((change) => change.state === "running" || change.state === "undoing") ? runningMs : false,
});

const readAgain = () => queryClient.invalidateQueries({ queryKey: leadsKey });

export async function sendLeadChange(body: LeadChangeInput) {
  const change = await request(changeLeads, { body });
  void readAgain();
  return change;
}

/** From a toast, which has no place for an error. */
export const undoFromToast = (id: string): void =>
  void undoDeletion(id).catch((error: unknown) => toast.error(problemDetail(error)));

export async function undoDeletion(id: string): Promise<void> {
  await request(undoLeadChange, { params: { id } });
  await readAgain();
}
