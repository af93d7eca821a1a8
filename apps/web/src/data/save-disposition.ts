import { type CallDispositionInput, setCallDisposition } from "@leadline/contract/call-disposition";
import { request } from "./api-client.ts";
import { callQuery } from "./calls-query.ts";
import { doNotCallKey } from "./do-not-call-query.ts";
import { leadsKey } from "./leads-query.ts";
import { queryClient } from "./query-client.ts";

/** Sends what came of a call, even as the page goes away; the answer is shown at once, before its event arrives. */
export async function saveDisposition(callSid: string, disposition: CallDispositionInput): Promise<void> {
  const options = { keepalive: true };
  const call = await request(setCallDisposition, { params: { callSid }, body: disposition }, options);
  queryClient.setQueryData(callQuery(callSid).queryKey, call);
  const { outcomeId, followUpOn } = disposition;
  // An outcome may mean that the number is not to be called, or the day to call it back.
  if (outcomeId !== undefined) void queryClient.invalidateQueries({ queryKey: doNotCallKey });
  if (outcomeId !== undefined || followUpOn !== undefined) void queryClient.invalidateQueries({ queryKey: leadsKey });
}
