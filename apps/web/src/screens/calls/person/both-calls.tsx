import type { Call } from "@leadline/contract/calls";
import { useState } from "react";
import { inOrder, isOnLine } from "../../../phone/call/two-calls.ts";
import { useWho } from "../../../phone/second-line/use-who.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/tabs.tsx";
import { CallPanel } from "./call-panel.tsx";

/** Ended calls no longer have a line. */
const byStart = (...calls: Call[]): Call[] =>
  calls.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));

/** Each of two simultaneous calls has its own note and outcome. Shows those of the first call, or the chosen one. */
export function BothCalls({ call, other, onDone }: { call: Call; other: Call; onDone?: () => void }) {
  const nameOf = useWho();
  const [chosen, setChosen] = useState<string | null>(null);
  const both = isOnLine(call) ? inOrder(call, other) : byStart(call, other);
  const shown = both.find(({ callSid }) => callSid === chosen) ?? call;
  return (
    <Tabs value={shown.callSid} onValueChange={setChosen} className="flex flex-col gap-4">
      <TabList aria-label="Note and outcome for">
        {both.map((one) => (
          <Tab key={one.callSid} value={one.callSid} className="min-w-0 truncate tabular-nums">
            {nameOf(one)}
          </Tab>
        ))}
      </TabList>
      <TabPanel value={shown.callSid}>
        <CallPanel key={shown.callSid} phoneNumber={shown.phoneNumber} call={shown} onDone={onDone} />
      </TabPanel>
    </Tabs>
  );
}
