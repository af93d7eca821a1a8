import { acceptedEndings, deleteFile, type StoredFile } from "@leadline/contract/files";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, File as FileIcon, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { isAdmin, useOwnRole, useReadsOnly } from "../../components/use-own-role.ts";
import { FileDrop } from "../../components/file-drop.tsx";
import { FileFacts } from "../../components/file-facts.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useDownloadFile } from "../../components/use-download-file.ts";
import { useIsHere } from "../../components/use-is-here.ts";
import { request } from "../../data/api-client.ts";
import { leadFilesQuery } from "../../data/leads-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { type Uploaded, useUploadToLead } from "../../data/use-upload-to-lead.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface LeadFilesProps {
  leadId: string;
  /** False while another tab of the page hides it: refused files are then reported by a toast. */
  isShown: boolean;
}

export function LeadFiles({ leadId, isShown }: LeadFilesProps) {
  const query = leadFilesQuery(leadId);
  const files = useQuery(query);
  const readsOnly = useReadsOnly();
  const isHere = useIsHere();
  const uploading = useUploadToLead(leadId, (uploaded) => {
    if (!isShown || !isHere()) showRefused(uploaded);
  });
  const { data: uploaded } = uploading;
  return (
    <div className="flex flex-col gap-4">
      <AskBeforeLeaving unsaved={uploading.isPending} onLeftUnasked={() => uploaded && showRefused(uploaded)} />
      {readsOnly ? null : (
        <FileDrop
          label="Add files"
          help="Up to 10 MB each: documents, pictures, recordings."
          accept={acceptedEndings.map((ending) => `.${ending}`).join(",")}
          multiple
          busy={uploading.isPending}
          onFiles={(chosen) => uploading.mutate(chosen)}
        />
      )}
      {uploaded && uploaded.refused.length > 0 ? <NotAdded {...uploaded} /> : null}
      {files.data ? (
        files.data.length > 0 ? (
          <ul aria-label="Files" className="overflow-hidden rounded-md border border-line bg-panel">
            {files.data.map((file) => (
              <FileRow key={file.id} file={file} leadId={leadId} />
            ))}
          </ul>
        ) : (
          <p className="text-sm text-ink-soft">
            No files yet.{readsOnly ? "" : " Add quotes, contracts and other documents here."}
          </p>
        )
      ) : files.isError ? (
        <LoadFailed what="The files" query={files} />
      ) : (
        <Skeleton className="h-24 rounded-md" />
      )}
    </div>
  );
}

const notAddedTitle = ({ chosen, refused }: Uploaded): string =>
  chosen === 1 ? "The file wasn’t added" : `${refused.length} of ${chosen} files weren’t added`;
const whyWithName = ({ name, why }: Uploaded["refused"][number]): string =>
  why.includes(name) ? why : `“${name}”: ${why}`;

const namesInToast = 3;

/** For users who have left the page. */
function showRefused(uploaded: Uploaded): void {
  const { refused } = uploaded;
  const [first, second] = refused;
  if (!first) return;
  const names = refused.slice(0, namesInToast).map(({ name }) => `“${name}”`);
  const more = refused.length - names.length;
  const description = second ? `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}` : whyWithName(first);
  toast.error(notAddedTitle(uploaded), { description });
}

function NotAdded(uploaded: Uploaded) {
  return (
    <Notice title={notAddedTitle(uploaded)}>
      <ul className="flex flex-col gap-1">
        {uploaded.refused.map((refusal, index) => (
          <li key={String(index)} className="wrap-anywhere">
            {whyWithName(refusal)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function FileRow({ file, leadId }: { file: StoredFile; leadId: string }) {
  const me = useQuery(meQuery).data;
  const ownRole = useOwnRole();
  const [asking, setAsking] = useState(false);
  const downloading = useDownloadFile(file);
  const deleting = useMutation({
    mutationFn: () => request(deleteFile, { params: { id: file.id } }),
    onSuccess() {
      setAsking(false);
      queryClient.setQueryData(leadFilesQuery(leadId).queryKey, (before) =>
        before?.filter((other) => other.id !== file.id),
      );
    },
  });
  const mayDelete = ownRole !== "analyst" && (me?.id === file.userId || isAdmin(ownRole));
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 last:border-b-0">
      <FileIcon className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        <FileFacts file={file} />
      </div>
      <IconButton
        label={`Download ${file.name}`}
        size="small"
        disabled={downloading.isPending}
        onClick={() => downloading.mutate()}
      >
        <Download />
      </IconButton>
      {mayDelete ? (
        <IconButton label={`Delete ${file.name}`} size="small" onClick={() => setAsking(true)}>
          <Trash2 />
        </IconButton>
      ) : null}
      {downloading.isError ? (
        <p role="alert" className="w-full text-table text-fault">
          {problemDetail(downloading.error)}
        </p>
      ) : null}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this file?"
        description={`This deletes ${file.name} for everyone and can’t be undone.`}
        footer={
          <>
            <Button tone="quiet" onClick={() => setAsking(false)}>
              Keep
            </Button>
            <Button tone="danger" busy={deleting.isPending} onClick={() => deleting.mutate()}>
              Delete file
            </Button>
          </>
        }
      >
        {deleting.isError ? <Notice>{problemDetail(deleting.error)}</Notice> : null}
      </Dialog>
    </li>
  );
}
