import { getBillingDetails } from "@leadline/contract/receipts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const billingDetailsQuery = queryOptions({
  queryKey: ["billing-details"],
  queryFn: ({ signal }) => request(getBillingDetails, {}, { signal }),
});
