import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { callQuery } from "../../../data/calls-query.ts";
import { BothCalls } from "./both-calls.tsx";
import { CallPanel } from "./call-panel.tsx";

/** After a conference: its two calls, each with a note and an outcome. A call with a teammate has none. */
export function EndedPair({ call, onDone }: { call: Call; onDone: () => void }) {
  const callSid = call.joinedWith?.callSid ?? "";
  const other = useQuery({ ...callQuery(callSid), enabled: callSid !== "" }).data;
  if (other && other.userId === call.userId && other.phoneNumber !== "")
    return <BothCalls call={call} other={other} onDone={onDone} />;
  return <CallPanel key={call.callSid} phoneNumber={call.phoneNumber} call={call} onDone={onDone} />;
}
