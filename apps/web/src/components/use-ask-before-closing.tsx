import { type ReactNode, useState } from "react";
import { LeaveUnsavedDialog } from "./leave-unsaved-dialog.tsx";

/** Of a form in a dialog. */
export type SavedState = "saved" | "unsaved" | "saving";

export const savedStateOf = ({ isSubmitting, isDirty }: { isSubmitting: boolean; isDirty: boolean }): SavedState =>
  isSubmitting ? "saving" : isDirty ? "unsaved" : "saved";

interface AskBeforeClosing {
  /** For Escape, the cross and a click beside the dialog, which come easily by mistake; Cancel does not. */
  onOpenChange: () => void;
  /** To be shown inside the dialog. */
  question: ReactNode;
}

/** For a dialog with a form: what is typed there is not dropped unasked, and a refusal on its way is waited for. */
export function useAskBeforeClosing(state: SavedState, onClose: () => void): AskBeforeClosing {
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
    question: asking ? <LeaveUnsavedDialog onStay={() => setAsking(false)} onLeave={leave} /> : null,
  };
}
