import type { Call } from "@leadline/contract/calls";
import { useEffect, useState, useSyncExternalStore } from "react";
import { noteDrafts } from "../../data/note-drafts.ts";
import { createNoteSaver, type NoteSaver, type NoteState } from "./create-note-saver.ts";
import { saveDisposition } from "../../data/save-disposition.ts";

const saverOf = (call: Call): NoteSaver =>
  createNoteSaver({
    callSid: call.callSid,
    note: call.note,
    drafts: noteDrafts,
    save: (note) => saveDisposition(call.callSid, { note }),
  });

/** The note of one call, while the component is mounted. Use the callSid as its key. */
export function useNote(call: Call): { state: NoteState; type: (text: string) => void; flush: () => void } {
  const [saver] = useState(() => saverOf(call));
  const state = useSyncExternalStore(saver.subscribe, saver.getState);
  useEffect(() => saver.adopt(call.note), [saver, call.note]);
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === "hidden") saver.flush();
    };
    document.addEventListener("visibilitychange", leave);
    window.addEventListener("online", saver.flush);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      window.removeEventListener("online", saver.flush);
      saver.stop();
      saver.flush();
    };
  }, [saver]);
  return { state, type: saver.type, flush: saver.flush };
}
