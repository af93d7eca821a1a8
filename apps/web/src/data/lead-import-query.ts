import { getLeadImport, type LeadImport, listLeadImportErrors } from "@leadline/contract/lead-imports";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

const progressEveryMs = 500;

const isRunning = (state: LeadImport["state"] | undefined): boolean => state === "running";

/** Read again while it runs. */
export const leadImportQuery = (id: string) =>
  queryOptions({
    queryKey: ["lead-imports", id],
    queryFn: ({ signal }) => request(getLeadImport, { params: { id } }, { signal }),
    refetchInterval: (query) => (isRunning(query.state.data?.state) ? progressEveryMs : false),
  });

export const leadImportErrorsQuery = (id: string) =>
  queryOptions({
    queryKey: ["lead-imports", id, "errors"],
    queryFn: ({ signal }) => request(listLeadImportErrors, { params: { id } }, { signal }),
  });
