import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { isSignedIn } from "../data/session.ts";
import { LeaveUnsavedDialog } from "./leave-unsaved-dialog.tsx";
import { unsavedForms } from "./unsaved-forms.ts";

interface AskBeforeLeavingProps {
  /** Entered and not yet saved, or on its way: a refusal would find nobody. */
  unsaved: boolean;
  /** About the person: switching to another organisation leaves the form as it is. */
  personal?: boolean;
  /** What was on its way came to its end while the question stood, which went by itself, and the person along. */
  onLeftUnasked?: () => void;
}

/** In a form: whoever goes elsewhere, switches to another organisation or closes the tab without saving is asked first. */
export function AskBeforeLeaving({ unsaved, personal = false, onLeftUnasked }: AskBeforeLeavingProps) {
  const [switching, setSwitching] = useState<{ answer: (goOn: boolean) => void } | null>(null);
  const [form] = useState(() => ({
    personal,
    ask: () =>
      new Promise<boolean>((answered) =>
        setSwitching({
          answer(goOn) {
            setSwitching(null);
            answered(goOn);
          },
        }),
      ),
  }));
  useEffect(() => (unsaved ? unsavedForms.add(form) : undefined), [form, unsaved]);
  const { status, proceed, reset } = useBlocker({
    // A session that has ended leads to the login, and nobody could save here any more.
    shouldBlockFn: ({ current, next }) =>
      isSignedIn() && unsavedForms.isAsking(form) && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved && isSignedIn(),
    withResolver: true,
  });

  const isAsked = status === "blocked" || switching !== null;
  const leftUnasked = useRef(onLeftUnasked);
  useEffect(() => void (leftUnasked.current = onLeftUnasked));
  const goOn = useRef(() => {});
  useEffect(() => {
    goOn.current = () => {
      proceed?.();
      switching?.answer(true);
    };
    // Saved while the question stood: there is nothing to ask any more.
    if (unsaved || !isAsked) return;
    goOn.current();
    leftUnasked.current?.();
  }, [unsaved, isAsked, proceed, switching]);
  useEffect(() => () => goOn.current(), []);

  if (!unsaved) return null;
  if (status === "blocked") return <LeaveUnsavedDialog onStay={reset} onLeave={proceed} />;
  if (switching)
    return <LeaveUnsavedDialog onStay={() => switching.answer(false)} onLeave={() => switching.answer(true)} />;
  return null;
}
