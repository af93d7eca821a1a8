import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { isSignedIn } from "../data/session.ts";
import { LeaveUnsavedDialog } from "./leave-unsaved-dialog.tsx";
import { unsavedForms } from "./unsaved-forms.ts";

interface AskBeforeLeavingProps {
  /** Edited and not saved yet, or being saved: if it is refused, the user must see why. */
  unsaved: boolean;
  /** About the user: switching organisations leaves the form as it is. */
  personal?: boolean;
  /** The save finished while the question was open, so it closed and navigation continued. */
  onLeftUnasked?: () => void;
}

/** In a form: asks before navigating, switching organisations or closing the tab with unsaved changes. */
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
    // An ended session redirects to the login, where nothing can be saved any more.
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
    // Saved while the question was open: there is nothing to ask any more.
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
