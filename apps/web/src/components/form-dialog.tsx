import { type FormEvent, type ReactNode, useId } from "react";
import type { FieldErrors } from "react-hook-form";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { AskBeforeLeaving } from "./ask-before-leaving.tsx";
import { savedStateOf, useAskBeforeClosing } from "./use-ask-before-closing.tsx";

interface FormDialogProps {
  title: string;
  description?: string;
  /** The text of its button. */
  save: string;
  /** From React Hook Form. */
  formState: { isDirty: boolean; isSubmitting: boolean; errors: FieldErrors };
  /** Saved, and the browser is on its way to another page: nothing can be pressed twice, and nothing is asked. */
  goesElsewhere?: boolean;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a dialog. Asks before it drops changes, and shows errors that belong to no field. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, save, formState, goesElsewhere = false, onSubmit, onClose, children } = props;
  const id = useId();
  const { errors, isDirty, isSubmitting } = formState;
  const isBusy = isSubmitting || goesElsewhere;
  const state = savedStateOf({ isDirty, isSubmitting: isBusy });
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose);
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={title}
      {...(description !== undefined && { description })}
      footer={
        <>
          <Button tone="quiet" disabled={isBusy} onClick={() => onOpenChange()}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isBusy}>
            {save}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4 pt-1">
        <AskBeforeLeaving unsaved={state !== "saved" && !goesElsewhere} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        {children}
      </form>
      {question}
    </Dialog>
  );
}
