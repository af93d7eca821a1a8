import type { Call } from "@leadline/contract/calls";
import { Phone } from "lucide-react";
import { useState } from "react";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { MessageLine } from "../../../components/message-line.tsx";
import { otherEnd } from "../../../components/other-end.ts";
import { useDoNotCall } from "../../../components/use-do-not-call.ts";
import { useReadsOnly } from "../../../components/use-own-role.ts";
import { leadOfCall } from "../../../components/lead-names.ts";
import { useCallNumber } from "../../../phone/use-call-number.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ItemNote } from "../../../ui/row-note.tsx";
import { DeleteMessageDialog } from "./call-message.tsx";
import { EndLeftCallDialog } from "./left-call.tsx";
import { CallMenu } from "./call-menu.tsx";
import { CallSummary } from "./call-summary.tsx";
import { LoggingLine } from "./logging-line.tsx";
import { NoteDialog } from "../notes/note-dialog.tsx";

/** One call in the log. Pressing it opens its details. Only the phone button calls. */
export function CallRow({ call, onCall }: { call: Call; onCall: (() => void) | undefined }) {
  const callNumber = useCallNumber();
  const readsOnly = useReadsOnly();
  const doNotCall = useDoNotCall();
  const [noting, setNoting] = useState(false);
  const [deletingMessage, setDeletingMessage] = useState(false);
  const [endingLeft, setEndingLeft] = useState(false);
  const number = otherEnd(call, formatPhoneNumber);
  const name = leadOfCall(call.leads);
  // A withheld number can't be called back.
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
        <CallSummary call={call} name={name} number={number} />
      </button>
      {readsOnly ? null : (
        <IconButton
          label={`${again} ${name ?? number}`}
          size="small"
          disabled={!callNumber || withheld}
          onClick={callAgain}
        >
          <Phone className="text-call" />
        </IconButton>
      )}
      <CallMenu
        call={call}
        who={name ?? number}
        again={again}
        onCallAgain={callNumber && !withheld ? callAgain : undefined}
        onNote={() => setNoting(true)}
        onEndLeft={() => setEndingLeft(true)}
        onDeleteMessage={() => setDeletingMessage(true)}
        doNotCall={doNotCall}
      />
      {call.voicemail ? (
        <MessageLine
          callSid={call.callSid}
          voicemail={call.voicemail}
          of={name ?? number}
          className="basis-full pr-1 pb-2 pl-11 max-sm:pl-4"
        />
      ) : null}
      {call.activity || call.leads.length > 1 ? (
        <div className="basis-full pr-1 pb-2 pl-11 empty:hidden max-sm:pl-4">
          <LoggingLine call={call} />
        </div>
      ) : null}
      {deletingMessage ? <DeleteMessageDialog call={call} onClose={() => setDeletingMessage(false)} /> : null}
      {endingLeft ? <EndLeftCallDialog call={call} who={name ?? number} onClose={() => setEndingLeft(false)} /> : null}
      {doNotCall.refusal ? <ItemNote className="pl-4">{doNotCall.refusal}</ItemNote> : null}
      {noting ? <NoteDialog call={call} onClose={() => setNoting(false)} /> : null}
    </li>
  );
}
