import { listAccountKinds, listCarrierAccounts } from "@leadline/contract/carrier-accounts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const carrierAccountsQuery = queryOptions({
  queryKey: ["carrier-accounts"],
  queryFn: ({ signal }) => request(listCarrierAccounts, {}, { signal }),
  // Connecting proceeds by itself, step by step.
  refetchInterval: ({ state }) =>
    state.data?.some((account) => account.state === "connecting" || account.state === "disconnecting") ? 500 : false,
});

/** They only change with the installation. */
export const accountKindsQuery = queryOptions({
  queryKey: ["carrier-account-kinds"],
  queryFn: ({ signal }) => request(listAccountKinds, {}, { signal }),
  staleTime: Infinity,
});
