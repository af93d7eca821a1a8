import {
  checkLeadImport,
  getLeadImport,
  type LeadImport,
  type LeadMapping,
  listLeadImportDuplicates,
  listLeadImportErrors,
  listLeadImports,
} from "@leadline/contract/lead-imports";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

const progressEveryMs = 500;

const isRunning = (state: LeadImport["state"] | undefined): boolean => state === "running";

const listEveryMs = 2_000;

/** Below the single import's key, so that any change of an import refetches this list. */
export const leadImportsQuery = queryOptions({
  queryKey: ["lead-imports", "latest"],
  queryFn: ({ signal }) => request(listLeadImports, {}, { signal }),
  refetchInterval: (query) => (query.state.data?.some(({ state }) => isRunning(state)) ? listEveryMs : false),
  staleTime: 0,
});

/** Refetched while it runs. */
export const leadImportQuery = (id: string) =>
  queryOptions({
    queryKey: ["lead-imports", id],
    queryFn: ({ signal }) => request(getLeadImport, { params: { id } }, { signal }),
    refetchInterval: (query) => (isRunning(query.state.data?.state) ? progressEveryMs : false),
  });

/** The result for each row with the mapping so far; null requests nothing. */
export const leadImportCheckQuery = (id: string, mapping: LeadMapping | null) =>
  queryOptions({
    queryKey: ["lead-imports", id, "check", mapping],
    queryFn: ({ signal }) => mapping && request(checkLeadImport, { params: { id }, body: { mapping } }, { signal }),
    enabled: mapping !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A large file takes longer than one request may: the next one waits for the rest.
    refetchInterval: (query) => (query.state.data?.totals === null ? progressEveryMs : false),
  });

export const leadImportErrorsQuery = (id: string) =>
  queryOptions({
    queryKey: ["lead-imports", id, "errors"],
    queryFn: ({ signal }) => request(listLeadImportErrors, { params: { id } }, { signal }),
  });

export const leadImportDuplicatesQuery = (id: string) =>
  queryOptions({
    queryKey: ["lead-imports", id, "duplicates"],
    queryFn: ({ signal }) => request(listLeadImportDuplicates, { params: { id } }, { signal }),
  });
