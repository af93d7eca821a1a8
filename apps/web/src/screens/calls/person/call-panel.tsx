import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { Disposition } from "../../../components/call-notes/disposition.tsx";
import { LastCalls } from "../../../components/last-calls.tsx";
import { callQuery } from "../../../data/calls-query.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { LoggingLine } from "../log/logging-line.tsx";
import { LeadContext } from "./lead-context.tsx";
import { PersonHeading } from "./person-heading.tsx";

interface CallPanelProps {
  /** E.164. */
  phoneNumber: string;
  /** Null while the call is starting. */
  call: Call | null;
  /** Given once the call has ended: goes back to the list. */
  onDone?: (() => void) | undefined;
}

/** Next to the phone during a call and after it: the caller, the disposition, and earlier calls and notes. */
export function CallPanel({ phoneNumber, call, onDone }: CallPanelProps) {
  const stored = useQuery({ ...callQuery(call?.callSid ?? ""), enabled: call !== null }).data ?? call;
  const [lead, another] = stored?.leads ?? [];
  return (
    <section aria-label="This call" data-keeps-keys className="flex flex-col gap-6">
      <div className="flex flex-col gap-5 rounded-md border border-line bg-panel p-5 max-md:border-0 max-md:p-0">
        <div className="flex items-start justify-between gap-4">
          <PersonHeading phoneNumber={phoneNumber} leads={stored?.leads ?? null} />
          {onDone ? (
            <Button tone="plain" size="small" onClick={onDone}>
              Done
            </Button>
          ) : null}
        </div>
        {stored ? <Disposition key={stored.callSid} call={stored} /> : <FormSkeleton />}
        {stored ? <LoggingLine call={stored} /> : null}
      </div>
      <LastCalls of={lead && !another ? { leadId: lead.id } : { phoneNumber }} except={call?.callSid ?? ""} />
      {lead && !another ? <LeadContext leadId={lead.id} /> : null}
    </section>
  );
}

function FormSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <Skeleton className="h-28 w-full rounded-md" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Skeleton className="h-14 w-full rounded-md" />
        <Skeleton className="h-14 w-full rounded-md" />
      </div>
    </div>
  );
}
