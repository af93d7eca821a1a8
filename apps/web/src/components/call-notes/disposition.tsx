import type { Call } from "@leadline/contract/calls";
import { DispositionForm } from "./disposition-form.tsx";
import { ReadOnlyDisposition } from "./read-only-disposition.tsx";
import { useMayWrite } from "./use-may-write.ts";

/**
 * The disposition of the call on the phone. If a teammate has taken the call over, only they can note it. Use the
 * callSid as its key.
 */
export function Disposition({ call }: { call: Call }) {
  const mayWrite = useMayWrite(call);
  const isTheirs = call.userId !== null && !mayWrite;
  return isTheirs ? <ReadOnlyDisposition call={call} /> : <DispositionForm call={call} isShownCall />;
}
