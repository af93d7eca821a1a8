import { type ReactNode, useLayoutEffect, useState } from "react";
import { LeaveUnsavedDialog, type LossWords } from "./leave-unsaved-dialog.tsx";

/** For a form in a dialog. */
export type SavedState = "saved" | "unsaved" | "saving";

export const savedStateOf = ({ isSubmitting, isDirty }: { isSubmitting: boolean; isDirty: boolean }): SavedState =>
  isSubmitting ? "saving" : isDirty ? "unsaved" : "saved";

/** Tells a form's dialog its state before the next key, which may be Escape; an ordinary effect can come after it. */
export function useReportedState(state: SavedState, report?: (state: SavedState) => void): void {
  useLayoutEffect(() => report?.(state), [report, state]);
}

interface AskBeforeClosing {
  /** For Escape, the close button and a click outside the dialog, which happen by mistake; not for Cancel. */
  onOpenChange: () => void;
  /** To be rendered inside the dialog. */
  question: ReactNode;
}

/** For a dialog with a form: asks before it drops changes, and stays open while saving. */
export function useAskBeforeClosing(state: SavedState, onClose: () => void, words?: LossWords): AskBeforeClosing {
  const [asking, setAsking] = useState(false);
  const leave = () => {
    setAsking(false);
    onClose();
  };
  return {
    onOpenChange() {
      if (state === "unsaved") setAsking(true);
      else if (state === "saved") onClose();
    },
    question: asking ? <LeaveUnsavedDialog onStay={() => setAsking(false)} onLeave={leave} words={words} /> : null,
  };
}
