import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";

interface ConfirmDialogProps {
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The button's text. */
  action: string;
  cancel?: string;
  run: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before an irreversible action. An error stays in the dialog, with its reason. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancel = "Cancel",
  run,
  onDone,
  onClose,
}: ConfirmDialogProps) {
  const running = useMutation({
    mutationFn: run,
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={children}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {running.isError ? "Close" : cancel}
          </Button>
          <Button tone="danger" busy={running.isPending} onClick={() => running.mutate()}>
            {action}
          </Button>
        </>
      }
    >
      {running.isError ? <Notice>{problemDetail(running.error)}</Notice> : null}
    </Dialog>
  );
}
