import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NewMessages, NewMessagesDot } from "../../../components/new-messages.tsx";
import { useTabInAddress } from "../../../components/use-tab-in-address.ts";
import { useTimes } from "../../../components/use-times.ts";
import { callsToSortQuery } from "../../../data/calls-query.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import { CallBackTab } from "./call-back-tab.tsx";
import { CallLog } from "./call-log.tsx";
import { CallLogFilters, type ChosenFilters, noFilters, toCallLogFilter } from "./call-log-filters.tsx";

export interface CallListsProps {
  /** A call was started from the list. */
  onCall?: (() => void) | undefined;
}

export function CallLists({ onCall }: CallListsProps) {
  const [chosen, setChosen] = useState<ChosenFilters>(noFilters);
  const filter = toCallLogFilter(chosen);
  const filtered = Object.keys(filter).length > 0;
  const tabs = useTabInAddress(["recent", "to-sort", "missed", "voicemail", "not-reached", "call-back"]);
  const clear = () => setChosen(noFilters);
  const { otherClock } = useTimes();
  const toSort = useQuery(callsToSortQuery).data?.length ?? 0;
  return (
    <Tabs {...tabs}>
      <div className="-m-1 overflow-x-auto p-1">
        <TabList aria-label="Calls" className="min-w-max max-sm:gap-2.5">
          <Tab value="recent">Recent</Tab>
          {toSort > 0 || tabs.value === "to-sort" ? (
            <Tab value="to-sort" className="flex items-center gap-1.5">
              To sort
              {toSort > 0 ? (
                <Badge tone="brass" className="h-5 px-1.5 tabular-nums">
                  {toSort > 99 ? "99+" : toSort}
                  <span className="sr-only"> {toSort === 1 ? "call" : "calls"}</span>
                </Badge>
              ) : null}
            </Tab>
          ) : null}
          <Tab value="missed">Missed</Tab>
          <Tab value="voicemail" className="relative flex items-center gap-1.5">
            Voicemail <NewMessages className="max-sm:sr-only" />
            <NewMessagesDot className="top-1 -right-1.5 sm:hidden" />
          </Tab>
          <Tab value="not-reached">Not reached</Tab>
          <Tab value="call-back">Call back</Tab>
        </TabList>
      </div>
      {otherClock === null ? null : (
        <p className="pt-2 text-xs text-ink-soft">Times are in your organisation’s time zone, {otherClock}</p>
      )}
      <TabPanel value="recent" className="flex flex-col gap-3 pt-3">
        <CallLogFilters chosen={chosen} onChange={setChosen} />
        <CallLog filter={filter} onCall={onCall} onClear={filtered ? clear : null} empty="recent" />
      </TabPanel>
      <TabPanel value="to-sort" className="flex flex-col gap-3 pt-3">
        <CallLog filter={{ toSort: "true" }} onCall={onCall} onClear={null} empty="to-sort" />
      </TabPanel>
      <TabPanel value="missed" className="flex flex-col gap-3 pt-3">
        <CallLog filter={{ missed: "true" }} onCall={onCall} onClear={null} empty="missed" />
      </TabPanel>
      <TabPanel value="voicemail" className="flex flex-col gap-3 pt-3">
        <CallLog filter={{ voicemail: "true" }} onCall={onCall} onClear={null} empty="voicemail" />
      </TabPanel>
      <TabPanel value="not-reached" className="flex flex-col gap-3 pt-3">
        <CallLogFilters chosen={chosen} onChange={setChosen} />
        <CallLog
          filter={{ ...filter, direction: "outbound", answered: "false" }}
          onCall={onCall}
          onClear={filtered ? clear : null}
          empty="not-reached"
        />
      </TabPanel>
      <TabPanel value="call-back" className="pt-3">
        <CallBackTab onCall={onCall} />
      </TabPanel>
    </Tabs>
  );
}
