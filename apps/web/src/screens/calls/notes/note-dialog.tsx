import type { Call } from "@leadline/contract/calls";
import { isLive } from "@leadline/contract/call-state";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { User } from "lucide-react";
import { callEndedSentence } from "../../../components/call-ended-sentence.ts";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { formatDuration } from "../../../components/format-time.ts";
import { useTimes } from "../../../components/use-times.ts";
import { otherEnd } from "../../../components/other-end.ts";
import { transferLabel } from "../../../components/transfer-label.ts";
import { leadName } from "../../../components/lead-name.ts";
import { leadOfCall } from "../../../components/lead-names.ts";
import { callQuery } from "../../../data/calls-query.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { LoggingLine } from "../log/logging-line.tsx";
import { DispositionForm } from "../../../components/call-notes/disposition-form.tsx";
import { ReadOnlyDisposition } from "../../../components/call-notes/read-only-disposition.tsx";
import { CarrierCostLine } from "./carrier-cost-line.tsx";
import { useMayWrite } from "../../../components/call-notes/use-may-write.ts";

/** Note, outcome and day to call back of a logged call; a colleague's is read-only except for admins. */
export function NoteDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const stored = useQuery(callQuery(call.callSid)).data ?? call;
  const times = useTimes();
  const mayWrite = useMayWrite(call);
  const who = leadOfCall(call.leads) ?? otherEnd(call, formatPhoneNumber);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={who}
      description={`${times.full(call.createdAt)}, ${call.userName}`}
      className="w-[min(520px,calc(100vw-32px))]"
    >
      {mayWrite ? <DispositionForm key={call.callSid} call={stored} /> : <ReadOnlyDisposition call={stored} />}
      <CallFacts call={stored} />
    </Dialog>
  );
}

/** How the call ended, how long it took, and a link to the lead. */
function CallFacts({ call }: { call: Call }) {
  const facts = [
    call.leads.length > 0 ? otherEnd(call, formatPhoneNumber) : null,
    call.shownNumber === null ? null : `Caller ID ${formatPhoneNumber(call.shownNumber)}`,
    isLive(call.status) ? null : callEndedSentence(call, formatPhoneNumber),
    call.transfer?.status === "refused" ? transferLabel(call.transfer, formatPhoneNumber) : null,
    call.durationMs > 0 ? formatDuration(call.durationMs) : null,
  ].filter((fact) => fact !== null);
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-4">
      <div className="basis-full pb-1 empty:hidden">
        <LoggingLine call={call} />
      </div>
      <p className="text-table text-ink-soft tabular-nums">{facts.join(" · ")}</p>
      {isLive(call.status) ? null : <CarrierCostLine callSid={call.callSid} />}
      {call.leads.map((lead) => (
        <Button key={lead.id} asChild tone="plain" size="small">
          <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
            <User aria-hidden="true" />
            {call.leads.length === 1 ? "Open lead" : `Open ${leadName(lead)}`}
          </Link>
        </Button>
      ))}
    </div>
  );
}
