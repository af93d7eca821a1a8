import type { CallActivity } from "@leadline/contract/call-activity";
import type { Call } from "@leadline/contract/calls";
import { chooseLeadOfCall, retryWritingCall } from "@leadline/contract/written-calls";
import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Clock, ExternalLink, Users } from "lucide-react";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import { IconLine } from "../../../components/icon-line.tsx";
import { useCrmName } from "../../../components/use-crm-name.ts";
import { useReadsOnly } from "../../../components/use-own-role.ts";
import { leadName } from "../../../components/lead-name.ts";
import { request } from "../../../data/api-client.ts";
import { callsKey } from "../../../data/calls-query.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { queryClient } from "../../../data/query-client.ts";
import { Button } from "../../../ui/button.tsx";

interface ActivityLineProps {
  call: Call;
  activity: CallActivity;
}

/** Whether the call was logged in its lead's CRM, with the actions that are possible. */
export function ActivityLine({ call, activity }: ActivityLineProps) {
  const readsOnly = useReadsOnly();
  if (activity.state === "to-sort" && readsOnly)
    return (
      <IconLine icon={<Users aria-hidden="true" />}>
        Several leads have this number. A member has to choose one.
      </IconLine>
    );
  if (activity.state === "to-sort")
    return <ChooseLead call={call}>Several leads have this number. Choose one to log the call.</ChooseLead>;
  // One that was logged for a lead that is gone stays where it is.
  if (activity.service === null) return <Outcome call={call} activity={activity} />;
  return (
    <WithChangeLead call={call}>
      <Outcome call={call} activity={activity} />
    </WithChangeLead>
  );
}

/** What became of the call, with a button to choose another lead if several have its number. */
export function WithChangeLead({ call, children }: { call: Call; children: ReactNode }) {
  const [isChanging, setChanging] = useState(false);
  const readsOnly = useReadsOnly();
  // A call belongs to its one lead, unless several leads share its number.
  if (call.leads.length < 2 || readsOnly) return children;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {children}
        <Button tone="plain" size="small" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
          {isChanging ? "Keep the lead" : "Change lead"}
        </Button>
      </div>
      {isChanging ? (
        <ChooseLead call={call} onChosen={() => setChanging(false)}>
          Choose the lead for later calls with this number. A call that is already logged stays where it is.
        </ChooseLead>
      ) : null}
    </div>
  );
}

function Outcome({ call, activity }: ActivityLineProps) {
  const { state, service, url, problem } = activity;
  const name = useCrmName(service);
  if (state === "failed") return <Failed call={call} sentence={`Not logged in ${name}. ${problem ?? ""}`} />;
  if (state === "waiting" && url === null)
    return (
      <IconLine icon={<Clock aria-hidden="true" />}>
        {`Waiting to be logged in ${name}.${problem === null ? "" : ` ${problem}`}`}
      </IconLine>
    );
  return (
    <IconLine icon={<CircleCheck aria-hidden="true" className="text-call" />}>
      {url === null ? (
        `Logged in ${name}`
      ) : (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 underline decoration-line underline-offset-4 hover:decoration-current"
        >
          Logged in {name}
          <ExternalLink aria-hidden="true" className="size-3.5" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
      {state === "waiting" ? <span>{problem ?? "Updating…"}</span> : null}
    </IconLine>
  );
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: callsKey });

function Failed({ call: { callSid }, sentence }: { call: Call; sentence: string }) {
  const readsOnly = useReadsOnly();
  const retrying = useMutation({
    mutationFn: () => request(retryWritingCall, { params: { callSid } }),
    onSuccess: readAgain,
    onError: (error) => toast.error("The retry didn’t start.", { description: problemDetail(error) }),
  });
  return (
    <IconLine icon={<CircleAlert aria-hidden="true" className="text-danger" />}>
      <span>{sentence}</span>
      {readsOnly ? null : (
        <Button tone="plain" size="small" disabled={retrying.isPending} onClick={() => retrying.mutate()}>
          Retry
        </Button>
      )}
    </IconLine>
  );
}

interface ChooseLeadProps {
  call: Call;
  children: ReactNode;
  onChosen?: () => void;
}

/** The choice applies to the number's later calls too. */
function ChooseLead({ call: { callSid, leads }, children, onChosen }: ChooseLeadProps) {
  const choosing = useMutation({
    mutationFn: (lead: Call["leads"][number]) =>
      request(chooseLeadOfCall, { params: { callSid }, body: { leadId: lead.id } }),
    onSuccess: (_, lead) => {
      toast.success(`Calls with this number now belong to ${leadName(lead)}.`);
      onChosen?.();
      return readAgain();
    },
    onError: (error) => toast.error("The lead wasn’t saved.", { description: problemDetail(error) }),
  });
  return (
    <IconLine icon={<Users aria-hidden="true" />}>
      <span>{children}</span>
      <span className="flex flex-wrap gap-2">
        {leads.map((lead) => (
          <Button
            key={lead.id}
            tone="plain"
            size="small"
            disabled={choosing.isPending}
            onClick={() => choosing.mutate(lead)}
          >
            {leadName(lead)}
          </Button>
        ))}
      </span>
    </IconLine>
  );
}
