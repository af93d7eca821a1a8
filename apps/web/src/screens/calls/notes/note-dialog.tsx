import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { formatFullTime } from "../../../components/format-time.ts";
import { leadOfCall } from "../../../components/lead-names.ts";
import { callQuery } from "../../../data/calls-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DispositionForm } from "./disposition-form.tsx";

/** Note, outcome and follow-up of a call of the log; of a colleague's call to read only, unless one is an admin. */
export function NoteDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const stored = useQuery(callQuery(call.callSid)).data ?? call;
  const me = useQuery(meQuery).data;
  const mayWrite = me?.id === call.userId || (me?.activeOrganisation?.role ?? "member") !== "member";
  const who = leadOfCall(call.leads) ?? formatPhoneNumber(call.phoneNumber);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={who}
      description={`${formatFullTime(call.createdAt)}, ${call.userName}`}
      className="w-[min(520px,calc(100vw-32px))]"
    >
      {mayWrite ? <DispositionForm key={call.callSid} call={stored} /> : <ReadOnly call={stored} />}
    </Dialog>
  );
}

function ReadOnly({ call }: { call: Call }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-pretty whitespace-pre-line">{call.note || "No note."}</p>
      <p className="text-ink-soft">{call.outcome ? `Outcome: ${call.outcome.name}` : "No outcome."}</p>
      <p className="text-table text-ink-soft">Only {call.userName} or an admin may change this.</p>
    </div>
  );
}
