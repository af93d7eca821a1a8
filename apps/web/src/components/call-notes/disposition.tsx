import type { Call } from "@leadline/contract/calls";
import { DispositionForm } from "./disposition-form.tsx";
import { ReadOnlyDisposition } from "./read-only-disposition.tsx";
import { useMayWrite } from "./use-may-write.ts";

/** Of a call that the phone shows. One that a teammate has taken over is theirs to note. Give it the call's sid as its key. */
export function Disposition({ call }: { call: Call }) {
  const mayWrite = useMayWrite(call);
  const isTheirs = call.userId !== null && !mayWrite;
  return isTheirs ? <ReadOnlyDisposition call={call} /> : <DispositionForm call={call} isShownCall />;
}
