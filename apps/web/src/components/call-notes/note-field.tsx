import type { Call } from "@leadline/contract/calls";
import { Check, CircleAlert } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { callNote } from "../../phone/in-call/call-note.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/input.tsx";
import type { NoteState } from "./create-note-saver.ts";
import { useNote } from "./use-note.ts";

const longest = 5_000;

/** isShownCall: the note belongs to the call on the phone, so the call's shortcuts focus it. */
export function NoteField({ call, isShownCall = false }: { call: Call; isShownCall?: boolean }) {
  const { state, type, flush } = useNote(call);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => (isShownCall && field.current ? callNote.isAt(field.current) : undefined), [isShownCall]);
  const left = longest - state.text.length;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-5 items-center justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          Note
        </label>
        <SavedState state={state} />
      </div>
      <TextArea
        ref={field}
        id={id}
        rows={4}
        maxLength={longest}
        value={state.text}
        placeholder="Saved as you type"
        aria-describedby={`${id}-state`}
        onChange={(event) => type(event.target.value)}
        onBlur={flush}
        className="resize-y"
      />
      <div id={`${id}-state`} className="text-table">
        {state.status === "failed" ? (
          <p role="alert" className="flex items-start gap-1.5 text-fault">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            <span className="flex-1">Not saved yet, but kept in this tab. {state.problem}</span>
            <Button tone="plain" size="small" onClick={flush}>
              Try again
            </Button>
          </p>
        ) : left < 500 ? (
          <p className="text-ink-soft tabular-nums">{left} characters left</p>
        ) : null}
      </div>
    </div>
  );
}

const words = { saved: "Saved", unsaved: "Saving…", saving: "Saving…", failed: "Not saved" } as const;

/** Renders nothing for a note that was never started. */
function SavedState({ state }: { state: NoteState }) {
  const silent = state.status === "failed" || (state.status === "saved" && state.text === "");
  return (
    <output className="flex items-center gap-1 text-xs text-ink-soft">
      {silent ? null : (
        <>
          {state.status === "saved" ? <Check className="size-3.5 text-brass" aria-hidden="true" /> : null}
          {words[state.status]}
        </>
      )}
    </output>
  );
}
