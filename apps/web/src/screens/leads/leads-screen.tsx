import { exportLeads } from "@leadline/contract/lead-imports";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, Ellipsis, Merge, Plus, SearchX, Upload, Users } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { requestFile } from "../../data/api-client.ts";
import { isSearch } from "@leadline/contract/leads";
import {
  conditionsIn,
  leadCountQuery,
  type LeadFilter,
  leadFilterQuery,
  leadListQuery,
} from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { LeadFilters } from "./lead-filters.tsx";
import { ChangeNotices } from "./change-notices.tsx";
import { ColumnsMenu } from "./columns-menu.tsx";
import { LeadsSkeleton } from "./leads-skeleton.tsx";
import { LeadsTable } from "./leads-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { ViewsMenu } from "./views-menu.tsx";
import { useColumns } from "./use-columns.ts";
import { useLeadFilter } from "./use-lead-filter.ts";
import { useSelection } from "./use-selection.ts";

const newButton = (
  <Button asChild>
    <Link to="/leads/new">
      <Plus aria-hidden="true" /> New lead
    </Link>
  </Button>
);

const noFilter = {
  search: "",
  status: undefined,
  owner: undefined,
  called: undefined,
  due: undefined,
  followUpOwner: undefined,
};

export function LeadsScreen() {
  return usePageOrganisation() ? <Leads /> : <NoOrganisation title="Leads" />;
}

function Leads() {
  const { filter, change } = useLeadFilter();
  const readsOnly = useReadsOnly();
  const { columns, choose } = useColumns();
  const list = useInfiniteQuery(leadListQuery(filter));
  const total = useQuery({ ...leadCountQuery(filter), enabled: list.hasNextPage && !isSearch(filter.search) }).data;
  const leads = list.data?.pages.flatMap((page) => page.items) ?? [];
  const selection = useSelection(leads, JSON.stringify(leadFilterQuery(filter)));
  const isFiltered = isSearch(filter.search) || Object.keys(conditionsIn(filter)).length > 0;
  const exporting = useMutation({
    mutationFn: () => requestFile(exportLeads, { query: leadFilterQuery(filter) }),
    onSuccess: (content) => saveFile(content, `leads-${new Date().toISOString().slice(0, 10)}.csv`),
  });

  if (list.data && leads.length === 0 && !isFiltered && !list.isPlaceholderData) return <NoLeads />;
  return (
    <div className="mx-auto flex h-[calc(100dvh-7.5rem)] max-md:h-[calc(100dvh-9rem)] max-w-[1280px] min-h-96 max-md:min-h-[46rem] flex-col gap-4">
      <PageHeader
        title="Leads"
        action={
          <div className="flex gap-2">
            <ViewsMenu
              filter={filter}
              columns={columns}
              onOpen={(view) => {
                change({ ...noFilter, ...view.filter, search: view.filter.search ?? "" });
                choose(view.columns);
              }}
            />
            <ColumnsMenu columns={columns} onChoose={choose} />
            <Menu
              trigger={
                <Button
                  tone="plain"
                  className="px-2.5"
                  aria-label={readsOnly ? "Export" : "Import, export and conflicts"}
                  busy={exporting.isPending}
                >
                  <Ellipsis aria-hidden="true" />
                </Button>
              }
            >
              {readsOnly ? null : (
                <>
                  <MenuItem asChild>
                    <Link to="/leads/import">
                      <Upload aria-hidden="true" /> Import from CSV
                    </Link>
                  </MenuItem>
                  <MenuItem asChild>
                    <Link to="/leads/conflicts">
                      <Merge aria-hidden="true" /> Conflicts
                    </Link>
                  </MenuItem>
                </>
              )}
              <MenuItem onSelect={() => exporting.mutate()}>
                <Download aria-hidden="true" /> {isFiltered ? "Export these leads as CSV" : "Export as CSV"}
              </MenuItem>
            </Menu>
            {readsOnly ? null : newButton}
          </div>
        }
      />
      {exporting.isError ? <Notice title="Export failed">{problemDetail(exporting.error)}</Notice> : null}
      <ChangeNotices />
      <LeadFilters filter={filter} onChange={change} />
      <SelectionBar selection={selection} filter={filter} hasMore={list.hasNextPage} />
      {list.data ? (
        leads.length > 0 ? (
          <LeadsTable
            // Another filter starts at the top.
            key={JSON.stringify([conditionsIn(filter), filter.sort])}
            search={isSearch(filter.search) ? filter.search.trim() : ""}
            leads={leads}
            columns={columns}
            selection={selection}
            sort={filter.sort}
            onSort={(sort) => change({ sort })}
            total={(!isSearch(filter.search) && !list.isPlaceholderData && total) || null}
            stale={list.isPlaceholderData}
            more={list}
          />
        ) : (
          <EmptyState
            picture={<SearchX className="size-8" aria-hidden="true" />}
            title={noneThatFits(filter)}
            action={
              <Button tone="plain" onClick={() => change(noFilter)}>
                Show all leads
              </Button>
            }
          >
            {isSearch(filter.search)
              ? "Search looks at names, companies, emails and phone numbers, with words in any order."
              : null}
          </EmptyState>
        )
      ) : list.isError ? (
        <LoadFailed what="Your leads" query={list} />
      ) : (
        <LeadsSkeleton columns={columns} />
      )}
    </div>
  );
}

function noneThatFits({ search, status, owner, called, due, followUpOwner }: LeadFilter): string {
  if (owner ?? called ?? due ?? followUpOwner) return "No lead matches these filters";
  const which = status === undefined ? "" : ` ${isSearch(search) ? "that is " : "is "}${status}`;
  return `No lead${which}${isSearch(search) ? ` matches “${search}”` : ""}`;
}

function NoLeads() {
  const readsOnly = useReadsOnly();
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Leads" />
      <ChangeNotices />
      <EmptyState
        picture={<Users className="size-8" aria-hidden="true" />}
        title="No leads yet"
        action={readsOnly ? null : newButton}
      >
        Your leads appear here with their numbers, notes and calls.
        {readsOnly ? null : " Add the first one, import a CSV file or connect a CRM."}
      </EmptyState>
    </div>
  );
}
