import { noteDrafts } from "./note-drafts.ts";
import { saveDisposition } from "./save-disposition.ts";

/** Sends the notes that an earlier page of this tab could not. Never throws: a refused note stays a draft. */
export async function sendNoteDrafts(): Promise<void> {
  await Promise.all(noteDrafts.all().map(sendDraft));
}

async function sendDraft(callSid: string): Promise<void> {
  const note = noteDrafts.read(callSid) ?? "";
  try {
    await saveDisposition(callSid, { note });
    if (noteDrafts.read(callSid) === note) noteDrafts.forget(callSid);
  } catch {
    // It stays for the next time; the call's own note field shows the error.
  }
}
