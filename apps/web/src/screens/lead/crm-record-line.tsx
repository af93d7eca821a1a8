import { type LeadWriting, retryWritingLead } from "@leadline/contract/written-leads";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Clock, Info } from "lucide-react";
import { toast } from "sonner";
import { leadFieldWords } from "../../components/lead-field-words.ts";
import { IconLine } from "../../components/icon-line.tsx";
import { useCrmName } from "../../components/use-crm-name.ts";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { leadWritingQuery } from "../../data/lead-writing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { request } from "../../data/api-client.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";

/** Whether the lead's changes are in its CRM; nothing if none were to be sent. */
export function CrmRecordLine({ leadId }: { leadId: string }) {
  const { data: writing } = useQuery(leadWritingQuery(leadId));
  const crm = useCrmName(writing?.service);
  if (!writing) return null;
  const { state, problem, creates, conflicts } = writing;
  if (state === "failed") return <Failed leadId={leadId} writing={writing} crm={crm} />;
  if (state === "waiting")
    return (
      <IconLine icon={<Clock aria-hidden="true" />}>
        {creates ? `Waiting to be created in ${crm}.` : `Changes wait to be sent to ${crm}.`}
        {problem === null ? null : <span>{problem}</span>}
      </IconLine>
    );
  if (conflicts.length === 0)
    return <IconLine icon={<CircleCheck aria-hidden="true" className="text-call" />}>Up to date in {crm}</IconLine>;
  return (
    <IconLine icon={<Info aria-hidden="true" className="text-brass" />}>
      {inWords(conflicts)} {conflicts.length === 1 ? "was" : "were"} changed in {crm} as well, so {crm}’s value was
      kept. Yours is in the timeline.
    </IconLine>
  );
}

const inWords = (fields: LeadWriting["conflicts"]): string =>
  new Intl.ListFormat("en").format(
    fields.map((field, index) => (index === 0 ? leadFieldWords[field] : leadFieldWords[field].toLowerCase())),
  );

function Failed({ leadId, writing, crm }: { leadId: string; writing: LeadWriting; crm: string }) {
  const readsOnly = useReadsOnly();
  const retrying = useMutation({
    mutationFn: () => request(retryWritingLead, { params: { id: leadId } }),
    onSuccess: (now) => queryClient.setQueryData(leadWritingQuery(leadId).queryKey, now),
    onError: (error) => toast.error("The retry didn’t start.", { description: problemDetail(error) }),
  });
  const { creates, problem } = writing;
  return (
    <IconLine icon={<CircleAlert aria-hidden="true" className="text-danger" />}>
      <span>
        {creates ? `Not created in ${crm}.` : `Your changes are only in Leadline, not in ${crm}.`} {problem}
      </span>
      {readsOnly ? null : (
        <Button tone="plain" size="small" disabled={retrying.isPending} onClick={() => retrying.mutate()}>
          Retry
        </Button>
      )}
    </IconLine>
  );
}
