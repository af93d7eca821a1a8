import { largestImportBytes, prepareLeadImport } from "@leadline/contract/lead-imports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileDrop } from "../../components/file-drop.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ReadOnlyScreen } from "../../components/read-only-screen.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { request } from "../../data/api-client.ts";
import { leadImportQuery } from "../../data/lead-import-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { refuseLarger } from "../../data/refuse-larger.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { LatestImports } from "./latest-imports.tsx";
import { MapColumns } from "./map-columns.tsx";

/** Choose a file, map its columns, watch the import. The import's id is in the address, so that a reload shows it again. */
export function LeadImportScreen() {
  const organisation = usePageOrganisation();
  const { id } = useSearch({ from: "/signed-in/leads/import" });
  if (!organisation) return <NoOrganisation title="Import leads" />;
  if (organisation.role === "analyst") return <ReadOnlyScreen title="Import leads" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Import leads" lead="From a CSV file, which Excel, Google Sheets and every CRM can export." />
      {id === undefined ? (
        <>
          <ChooseFile />
          <LatestImports />
        </>
      ) : (
        <Import id={id} />
      )}
    </div>
  );
}

function ChooseFile() {
  const navigate = useNavigate();
  const preparing = useMutation({
    mutationFn: async (files: readonly File[]) => {
      refuseLarger(files, largestImportBytes, "Choose a file under 25 MB. Split a larger one and import the parts.");
      return request(prepareLeadImport, { files });
    },
    onSuccess(prepared) {
      queryClient.setQueryData(leadImportQuery(prepared.id).queryKey, prepared);
      void navigate({ to: "/leads/import", search: { id: prepared.id } });
    },
  });
  return (
    <div className="flex max-w-[640px] flex-col gap-4">
      <FileDrop
        label="Choose a CSV file"
        help="Up to 100,000 rows and 25 MB, with column names in the first row. You can check everything before you import."
        accept=".csv,.tsv,.txt,text/csv"
        busy={preparing.isPending}
        onFiles={(files) => preparing.mutate(files)}
      />
      {preparing.isError ? <Notice>{problemDetail(preparing.error)}</Notice> : null}
    </div>
  );
}

function Import({ id }: { id: string }) {
  const leadImport = useQuery(leadImportQuery(id));
  if (leadImport.data?.state === "draft") return <MapColumns leadImport={leadImport.data} />;
  if (leadImport.data) return <ImportProgress leadImport={leadImport.data} />;
  if (leadImport.error instanceof ProblemError && [404, 422].includes(leadImport.error.status))
    return (
      <>
        <Notice tone="brass">This import’s details are no longer kept. Its leads are in your list.</Notice>
        <ChooseFile />
      </>
    );
  if (leadImport.isError) return <LoadFailed what="The import" query={leadImport} />;
  return <Skeleton className="h-64 rounded-md" />;
}
