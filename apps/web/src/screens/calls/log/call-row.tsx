import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Ellipsis, NotebookPen, Phone, PhoneIncoming, PhoneOutgoing, User, UserPlus } from "lucide-react";
import { useState } from "react";
import { callEndedSentence } from "../../../components/call-ended-sentence.ts";
import { forwardedInWords, verifiedInWords } from "../../../components/caller-words.ts";
import { DoNotCallItem } from "../../../components/do-not-call-item.tsx";
import { callOutcomeWords } from "@leadline/contract/call-outcome-words";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { formatDuration } from "../../../components/format-time.ts";
import { otherEnd } from "../../../components/other-end.ts";
import { transferWords } from "../../../components/transfer-words.ts";
import { useDoNotCall } from "../../../components/use-do-not-call.ts";
import { useTimes } from "../../../components/use-times.ts";
import { formatCost } from "../../../components/format-money.ts";
import { leadName } from "../../../components/lead-name.ts";
import { leadOfCall, leadsInWords } from "../../../components/lead-names.ts";
import { useCallNumber } from "../../../phone/use-call-number.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { ItemNote } from "../../../ui/row-note.tsx";
import { DeleteMessageDialog, MessageItems, MessageLine } from "./call-message.tsx";
import { EndLeftCallDialog, EndLeftCallItem } from "./left-call.tsx";
import { NoteDialog } from "../notes/note-dialog.tsx";

/** One call of the log; pressing it opens what is known of the call. Only its phone button calls. */
export function CallRow({ call, onCall }: { call: Call; onCall: (() => void) | undefined }) {
  const times = useTimes();
  const callNumber = useCallNumber();
  const doNotCall = useDoNotCall();
  const [noting, setNoting] = useState(false);
  const [deletingMessage, setDeletingMessage] = useState(false);
  const [endingLeft, setEndingLeft] = useState(false);
  const number = otherEnd(call, formatPhoneNumber);
  const name = leadOfCall(call.leads);
  const called = call.calledNumber === null ? null : `to ${formatPhoneNumber(call.calledNumber)}`;
  const verified = verifiedInWords(call);
  const forwarded = forwardedInWords(call, formatPhoneNumber);
  const sent = call.transfer && transferWords(call.transfer, formatPhoneNumber);
  const shared = call.leads.length > 1 ? `${leadsInWords(call.leads.length)} this number` : null;
  const Direction = call.direction === "outbound" ? PhoneOutgoing : PhoneIncoming;
  // Only who was called by somebody is called back.
  const withheld = call.phoneNumber === "";
  const again = call.direction === "outbound" ? "Call again" : "Call back";
  const callAgain = () => {
    onCall?.();
    callNumber?.(call.phoneNumber, call.leads.length === 1 ? call.leads[0]?.id : undefined);
  };
  return (
    <li className="flex flex-wrap items-center border-b border-line pr-2 transition-colors last:border-b-0 has-[>button[data-opens]:hover]:bg-sunk">
      <button
        type="button"
        data-opens
        onClick={() => setNoting(true)}
        className="grid min-h-14 min-w-0 flex-1 grid-cols-[16px_minmax(0,1fr)_fit-content(88px)] items-center gap-x-3 py-1.5 pr-2 pl-4 text-left text-table xl:grid-cols-[16px_minmax(0,1fr)_minmax(0,112px)_120px]"
      >
        <Direction
          role="img"
          aria-label={call.direction === "outbound" ? "Outgoing" : "Incoming"}
          className="size-4 text-ink-soft"
        />
        <span className="min-w-0">
          <span dir="auto" className="block truncate text-left text-sm font-medium tabular-nums">
            <span className="sr-only">Open the call with </span>
            {name ?? number}
          </span>
          <span className="line-clamp-2 text-xs text-ink-soft tabular-nums">
            {[name === null ? shared : number, called, verified, forwarded, sent, call.userName]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {call.note ? (
            <span className="mt-0.5 line-clamp-2 text-xs break-words text-ink-soft" title={call.note}>
              {call.note}
            </span>
          ) : null}
        </span>
        <span className="min-w-0 max-xl:text-right" title={callEndedSentence(call, formatPhoneNumber)}>
          <span className={clsx("line-clamp-2", isLive(call.status) && "font-semibold text-brand")}>
            {call.outcome?.name ?? callOutcomeWords(call)}
          </span>
          {call.outcome ? (
            <span className="line-clamp-2 text-xs text-ink-soft max-xl:hidden">{callOutcomeWords(call)}</span>
          ) : null}
          <span className="block text-xs text-ink-soft tabular-nums xl:hidden">{times.when(call.createdAt)}</span>
        </span>
        <span className="text-right tabular-nums max-xl:hidden">
          <time dateTime={call.createdAt} title={times.full(call.createdAt)} className="block whitespace-nowrap">
            {times.when(call.createdAt)}
          </time>
          {isLive(call.status) ? null : (
            <span className="block text-xs whitespace-nowrap text-ink-soft">
              {call.durationMs > 0 ? (
                <>
                  <span className="sr-only">Duration </span>
                  {formatDuration(call.durationMs)} ·{" "}
                </>
              ) : null}
              <span className="sr-only">Cost </span>
              {formatCost(call.costMicros)}
            </span>
          )}
        </span>
      </button>
      <IconButton
        label={`${again} ${name ?? number}`}
        size="small"
        disabled={!callNumber || withheld}
        onClick={callAgain}
      >
        <Phone className="text-call" />
      </IconButton>
      <Menu
        trigger={
          <IconButton label={`Actions for the call with ${name ?? number}`} size="small">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem disabled={!callNumber || withheld} onSelect={callAgain}>
          <Phone aria-hidden="true" />
          {again}
        </MenuItem>
        <MenuItem onSelect={() => setNoting(true)}>
          <NotebookPen aria-hidden="true" />
          Note…
        </MenuItem>
        <EndLeftCallItem call={call} onSelect={() => setEndingLeft(true)} />
        {call.voicemail ? <MessageItems call={call} onDelete={() => setDeletingMessage(true)} /> : null}
        {withheld ? null : <DoNotCallItem phoneNumber={call.phoneNumber} doNotCall={doNotCall} />}
        {call.leads.length === 0 && !withheld ? (
          <MenuItem asChild>
            <Link to="/leads/new" search={{ phone: call.phoneNumber }}>
              <UserPlus aria-hidden="true" />
              Add lead
            </Link>
          </MenuItem>
        ) : null}
        {call.leads.map((lead) => (
          <MenuItem key={lead.id} asChild>
            <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
              <User aria-hidden="true" />
              {call.leads.length === 1 ? "Open lead" : `Open ${leadName(lead)}`}
            </Link>
          </MenuItem>
        ))}
      </Menu>
      {call.voicemail ? <MessageLine call={call} voicemail={call.voicemail} of={name ?? number} /> : null}
      {deletingMessage ? <DeleteMessageDialog call={call} onClose={() => setDeletingMessage(false)} /> : null}
      {endingLeft ? <EndLeftCallDialog call={call} who={name ?? number} onClose={() => setEndingLeft(false)} /> : null}
      {doNotCall.refusal ? <ItemNote className="pl-4">{doNotCall.refusal}</ItemNote> : null}
      {noting ? <NoteDialog call={call} onClose={() => setNoting(false)} /> : null}
    </li>
  );
}
