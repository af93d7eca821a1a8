import { type CallDispositionInput, setCallDisposition } from "@leadline/contract/call-disposition";
import { request } from "./api-client.ts";
import { callQuery } from "./calls-query.ts";
import { doNotCallKey } from "./do-not-call-query.ts";
import { leadsKey } from "./leads-query.ts";
import { queryClient } from "./query-client.ts";

/**
 * Sends a call's disposition, even while the page is closing; the response is shown immediately, before its event
 * arrives.
 */
export async function saveDisposition(callSid: string, disposition: CallDispositionInput): Promise<void> {
  const options = { keepalive: true };
  const call = await request(setCallDisposition, { params: { callSid }, body: disposition }, options);
  queryClient.setQueryData(callQuery(callSid).queryKey, call);
  const { outcomeId, note: _, ...followUp } = disposition;
  // An outcome may put the number on the do-not-call list, or set its callback day.
  if (outcomeId !== undefined) void queryClient.invalidateQueries({ queryKey: doNotCallKey });
  if (outcomeId !== undefined || Object.keys(followUp).length > 0)
    void queryClient.invalidateQueries({ queryKey: leadsKey });
}
