import { NewMessages } from "../../components/new-messages.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History, NotebookPen } from "lucide-react";
import { useEffect, useState } from "react";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { callLogQuery } from "../../data/calls-query.ts";
import { sendNoteDrafts } from "../../data/send-note-drafts.ts";
import { useWide } from "../../components/use-wide.ts";
import { isActive } from "../../phone/call/call-phase.ts";
import { CallFoot } from "../../phone/in-call/call-foot.tsx";
import { callNote } from "../../phone/in-call/call-note.ts";
import { usePhone, usePhoneState } from "../../phone/phone-provider.tsx";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { CallLists } from "./log/call-lists.tsx";
import { EndedPair } from "./person/ended-pair.tsx";
import { BothCalls } from "./person/both-calls.tsx";
import { CallPanel } from "./person/call-panel.tsx";
import { PhonePanel } from "./phone-panel.tsx";

export function CallsScreen() {
  return usePageOrganisation() ? <Phone /> : <NoOrganisation title="Calls" />;
}

function Phone() {
  // Of calls that are no longer shown.
  useEffect(() => void sendNoteDrafts(), []);
  const wide = useWide();
  const log = useInfiniteQuery(callLogQuery());
  const [sheetOpen, setSheetOpen] = useState(false);
  const calls = log.data?.pages.flatMap((page) => page.items) ?? [];
  const recentNumbers = [...new Set(calls.map((call) => call.phoneNumber))].filter((number) => number !== "");
  const { phase } = usePhoneState();
  useEffect(() => {
    const openNote = () => setSheetOpen(true);
    if (callNote.isWanted()) openNote();
    return callNote.onWanted(openNote);
  }, []);
  const inCall = phase !== "idle";
  const Icon = inCall ? NotebookPen : History;
  return (
    <div className="flex items-start gap-6">
      <h1 className="sr-only">Calls</h1>
      <div className="flex w-full flex-col gap-3 md:w-[340px] md:shrink-0">
        <PhonePanel recentNumbers={recentNumbers} />
        <Button tone={inCall ? "plain" : "quiet"} className="md:hidden" onClick={() => setSheetOpen(true)}>
          <Icon aria-hidden="true" />
          {inCall ? "Note and outcome" : "Recent calls"}
          {inCall ? null : <NewMessages />}
        </Button>
      </div>
      {wide ? (
        <div className="min-w-0 flex-1">
          <Context />
        </div>
      ) : null}
      <Sheet
        open={sheetOpen && !wide}
        onOpenChange={setSheetOpen}
        side="bottom"
        title={inCall ? "This call" : "Recent calls"}
        className="p-4"
        footer={isActive(phase) ? <CallFoot /> : undefined}
      >
        <Context onLeave={() => setSheetOpen(false)} />
      </Sheet>
    </div>
  );
}

/** Beside the phone: the call's person and notes until they are put away, the lists otherwise. */
function Context({ onLeave }: { onLeave?: () => void }) {
  const phone = usePhone();
  const { phase, call, other, dialled } = usePhoneState();
  const phoneNumber = call?.phoneNumber ?? dialled;
  if (phase === "idle" || phoneNumber === "") return <CallLists onCall={onLeave} />;
  if (call && other) return <BothCalls call={call} other={other} />;
  const done = () => {
    phone.dismiss();
    onLeave?.();
  };
  if (phase === "ended" && call?.joinedWith) return <EndedPair call={call} onDone={done} />;
  return (
    <CallPanel key={phoneNumber} phoneNumber={phoneNumber} call={call} onDone={phase === "ended" ? done : undefined} />
  );
}
