import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Ellipsis, Pencil, Phone, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { DoNotCallItem } from "../../components/do-not-call-item.tsx";
import { DeleteLeadDialog } from "../../components/delete-lead-dialog.tsx";
import { EditLeadDialog } from "../../components/edit-lead-dialog.tsx";
import { leadName } from "../../components/lead-name.ts";
import { LastCalls } from "../../components/last-calls.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { useCallLead } from "../../components/use-call-lead.ts";
import { useDoNotCall } from "../../components/use-do-not-call.ts";
import { useTabInAddress } from "../../components/use-tab-in-address.ts";
import { leadQuery } from "../../data/leads-query.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { CallOfLead } from "./call-of-lead.tsx";
import { CreateInCrmItems } from "./create-in-crm-items.tsx";
import { CrmRecordLine } from "./crm-record-line.tsx";
import { EraseLeadDialog, EraseLeadItem } from "./erase-lead.tsx";
import { ExportDataItem } from "./export-data-item.tsx";
import { LeadDetails } from "./lead-details.tsx";
import { LeadFiles } from "./lead-files.tsx";
import { LeadNotes } from "./lead-notes.tsx";
import { LeadTimeline } from "./lead-timeline.tsx";
import { OpenInCrm } from "./open-in-crm.tsx";

export function LeadScreen() {
  const { leadId } = useParams({ from: "/signed-in/leads/$leadId" });
  const lead = useQuery(leadQuery(leadId));
  const navigate = useNavigate();
  const { callLead, busy } = useCallLead();
  const readsOnly = useReadsOnly();
  const tabs = useTabInAddress(["notes", "calls", "files", "timeline"]);
  const doNotCall = useDoNotCall();
  const [dialog, setDialog] = useState<"edit" | "delete" | "erase" | null>(null);
  const name = lead.data && leadName(lead.data);
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Leadline`;
  }, [name]);

  const id = lead.data?.id ?? leadId;
  useEffect(() => {
    // An old link to a lead that was merged into another.
    if (id !== leadId) void navigate({ to: "/leads/$leadId", params: { leadId: id }, search: true, replace: true });
  }, [id, leadId, navigate]);

  // Treats an invalid id in the address like a missing lead. After other errors, keeps what was typed.
  if (lead.error instanceof ProblemError && [404, 422].includes(lead.error.status)) return <DeletedLead />;
  if (lead.isError && !lead.data)
    return (
      <>
        <h1 className="sr-only">Lead</h1>
        <LoadFailed what="This lead" query={lead} />
      </>
    );
  if (!lead.data || id !== leadId) return <LeadSkeleton />;
  const { data } = lead;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1">
          <h1 dir="auto" className="min-w-0 text-title font-semibold tracking-[-0.01em] break-words">
            {leadName(data)}
          </h1>
          <OpenInCrm lead={data} />
        </div>
        {readsOnly ? null : (
          <div className="flex gap-2">
            <Button
              tone="call"
              disabled={busy || data.phoneNumber === null}
              data-next-focus={busy ? undefined : true}
              onClick={() => callLead(data)}
            >
              <Phone aria-hidden="true" /> Call
            </Button>
            <Button tone="plain" onClick={() => setDialog("edit")}>
              <Pencil aria-hidden="true" /> Edit
            </Button>
            <Menu
              trigger={
                <Button tone="plain" className="px-2.5" aria-label={`More for ${leadName(data)}`}>
                  <Ellipsis aria-hidden="true" />
                </Button>
              }
            >
              {data.phoneNumber === null ? null : (
                <DoNotCallItem phoneNumber={data.phoneNumber} doNotCall={doNotCall} />
              )}
              <CreateInCrmItems lead={data} />
              <ExportDataItem leadId={leadId} />
              <MenuItem className="text-fault" onSelect={() => setDialog("delete")}>
                <Trash2 aria-hidden="true" /> Delete
              </MenuItem>
              <EraseLeadItem onSelect={() => setDialog("erase")} />
            </Menu>
          </div>
        )}
      </div>
      <CrmRecordLine leadId={data.id} />
      {doNotCall.refusal ? <Notice>{doNotCall.refusal}</Notice> : null}
      <div className="grid items-start gap-5 md:grid-cols-[320px_1fr]">
        <LeadDetails lead={data} />
        <div className="flex min-w-0 flex-col gap-5">
          <CallOfLead leadId={data.id} />
          <Tabs {...tabs}>
            <TabList aria-label="About this lead">
              <Tab value="notes">Notes</Tab>
              <Tab value="calls">Calls</Tab>
              <Tab value="files">Files</Tab>
              <Tab value="timeline">Timeline</Tab>
            </TabList>
            <TabPanel value="notes" forceMount className="pt-4 data-[state=inactive]:hidden">
              <LeadNotes leadId={leadId} />
            </TabPanel>
            <TabPanel value="calls" className="pt-4">
              <LastCalls of={{ leadId }} headingHidden />
            </TabPanel>
            <TabPanel value="timeline" className="pt-4">
              <LeadTimeline leadId={leadId} name={leadName(data)} />
            </TabPanel>
            <TabPanel value="files" forceMount className="pt-4 data-[state=inactive]:hidden">
              <LeadFiles leadId={leadId} isShown={tabs.value === "files"} />
            </TabPanel>
          </Tabs>
        </div>
      </div>
      <EditLeadDialog lead={dialog === "edit" ? data : null} onClose={() => setDialog(null)} />
      {dialog === "erase" ? <EraseLeadDialog lead={data} onClose={() => setDialog(null)} /> : null}
      <DeleteLeadDialog
        lead={dialog === "delete" ? data : null}
        onClose={() => setDialog(null)}
        onDeleted={() => void navigate({ to: "/leads" })}
      />
    </div>
  );
}

function DeletedLead() {
  return (
    <>
      <h1 className="sr-only">Lead</h1>
      <EmptyState
        title="Lead not found"
        action={
          <Button asChild>
            <Link to="/leads">Back to your leads</Link>
          </Button>
        }
      >
        It may have been deleted, or it belongs to another organisation.
      </EmptyState>
    </>
  );
}

function LeadSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <h1 className="sr-only">Lead</h1>
      <Skeleton className="h-7 w-48" />
      <div className="grid gap-5 md:grid-cols-[320px_1fr]">
        <Skeleton className="h-72 rounded-md" />
        <Skeleton className="h-48 rounded-md" />
      </div>
    </div>
  );
}
