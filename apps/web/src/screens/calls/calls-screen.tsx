import { NewMessages } from "../../components/new-messages.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History, NotebookPen } from "lucide-react";
import { useEffect, useState } from "react";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { callLogQuery } from "../../data/calls-query.ts";
import { sendNoteDrafts } from "../../data/send-note-drafts.ts";
import { useWide } from "../../components/use-wide.ts";
import { CallFoot } from "../../phone/in-call/call-foot.tsx";
import { callNote } from "../../phone/in-call/call-note.ts";
import { usePhoneState } from "../../phone/phone-context.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { CallContext } from "./call-context.tsx";
import { CallLists } from "./log/call-lists.tsx";
import { PhonePanel } from "./phone-panel.tsx";

export function CallsScreen() {
  const readsOnly = useReadsOnly();
  if (!usePageOrganisation()) return <NoOrganisation title="Calls" />;
  return readsOnly ? <ListsOnly /> : <Phone />;
}

/** An analyst has no phone. */
function ListsOnly() {
  return (
    <div className="mx-auto max-w-[1080px]">
      <h1 className="sr-only">Calls</h1>
      <CallLists />
    </div>
  );
}

function Phone() {
  // Sends the notes of calls that are no longer shown.
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
          <CallContext />
        </div>
      ) : null}
      <Sheet
        open={sheetOpen && !wide}
        onOpenChange={setSheetOpen}
        side="bottom"
        title={inCall ? "This call" : "Recent calls"}
        className="px-4 pt-2 pb-4"
        footer={<CallFoot />}
      >
        <CallContext onLeave={() => setSheetOpen(false)} />
      </Sheet>
    </div>
  );
}
