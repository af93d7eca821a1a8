import { exportOwnData } from "@leadline/contract/personal-data";
import { useMutation } from "@tanstack/react-query";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { requestFile } from "../../data/api-client.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

export function OwnData() {
  const [deleting, setDeleting] = useState(false);
  const exporting = useMutation({
    mutationFn: () => requestFile(exportOwnData, {}),
    onSuccess: (content) => saveFile(content, "my-data.zip"),
  });
  return (
    <>
      <p className="text-sm text-pretty">
        A ZIP file with your account, your sessions, your calls and notes, and what the audit log says that you did.
      </p>
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button tone="plain" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          <Download aria-hidden="true" /> Download my data
        </Button>
        <Button tone="plain" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" /> Delete account…
        </Button>
      </div>
      {deleting ? <DeleteAccountDialog onClose={() => setDeleting(false)} /> : null}
    </>
  );
}
