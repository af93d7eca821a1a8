import { useEffect } from "react";
import { saveDisposition } from "./save-disposition.ts";
import { noteDrafts } from "./use-note.ts";

/** Sends the notes that an earlier page of this tab could not, of calls that are no longer shown. */
export function useLeftDrafts(): void {
  useEffect(() => {
    for (const callSid of noteDrafts.all()) void sendLeft(callSid);
  }, []);
}

async function sendLeft(callSid: string): Promise<void> {
  const note = noteDrafts.read(callSid) ?? "";
  try {
    await saveDisposition(callSid, { note });
    if (noteDrafts.read(callSid) === note) noteDrafts.forget(callSid);
  } catch {
    // It stays for the next time; the call's own note field tells of the failure.
  }
}
