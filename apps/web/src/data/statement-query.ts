import { readStatement } from "@leadline/contract/billing";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** Undefined requests the current month. */
export const statementQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ["statement", month ?? "now"],
    queryFn: ({ signal }) => request(readStatement, { query: month === undefined ? {} : { month } }, { signal }),
    placeholderData: keepPreviousData,
  });
