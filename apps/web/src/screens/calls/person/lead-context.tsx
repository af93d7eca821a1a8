import type { StoredFile } from "@leadline/contract/files";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { textLinkLook } from "../../../components/auth-card.tsx";
import { FileFacts } from "../../../components/file-facts.tsx";
import { formatFullTime, formatWhen } from "../../../components/format-time.ts";
import { LoadFailed } from "../../../components/load-failed.tsx";
import { useDownloadFile } from "../../../components/use-download-file.ts";
import { useNow } from "../../../components/use-now.ts";
import { leadFilesQuery, leadNotesQuery } from "../../../data/leads-query.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";

const shown = 3;

/** The lead's newest notes and files, so that the rep needn't leave the call. */
export function LeadContext({ leadId }: { leadId: string }) {
  const notes = useQuery(leadNotesQuery(leadId));
  const files = useQuery(leadFilesQuery(leadId));
  const now = useNow();
  const failed = notes.isError && !notes.data ? notes : files.isError && !files.data ? files : null;
  if (failed) return <LoadFailed what={failed === notes ? "The lead’s notes" : "The lead’s files"} query={failed} />;
  if (!notes.data || !files.data) return <Skeleton className="h-16 w-full rounded-md" />;
  if (notes.data.length === 0 && files.data.length === 0) return null;
  return (
    <div className="flex flex-col gap-6">
      {notes.data.length > 0 ? (
        <section aria-labelledby="lead-notes">
          <Heading id="lead-notes" title="Notes" count={notes.data.length} leadId={leadId} />
          <ol className="rounded-md border border-line bg-panel">
            {notes.data.slice(0, shown).map((note) => (
              <li key={note.id} className="border-b border-line px-4 py-2.5 text-table last:border-b-0">
                <p className="line-clamp-3 break-words whitespace-pre-line text-pretty">{note.text}</p>
                <p className="mt-0.5 text-xs text-ink-soft">
                  {note.userName},{" "}
                  <time dateTime={note.createdAt} title={formatFullTime(note.createdAt)}>
                    {formatWhen(note.createdAt, now)}
                  </time>
                </p>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      {files.data.length > 0 ? (
        <section aria-labelledby="lead-files">
          <Heading id="lead-files" title="Files" count={files.data.length} leadId={leadId} />
          <ul className="rounded-md border border-line bg-panel">
            {files.data.slice(0, shown).map((file) => (
              <FileItem key={file.id} file={file} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

interface HeadingProps {
  id: string;
  title: string;
  count: number;
  leadId: string;
}

function Heading({ id, title, count, leadId }: HeadingProps) {
  return (
    <div className="mb-2 flex items-baseline justify-between gap-3">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      {count > shown ? (
        <Link to="/leads/$leadId" params={{ leadId }} className={`${textLinkLook} text-table`}>
          All {count}
          <span className="sr-only"> {title.toLowerCase()}</span>
        </Link>
      ) : null}
    </div>
  );
}

function FileItem({ file }: { file: StoredFile }) {
  const downloading = useDownloadFile(file);
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        disabled={downloading.isPending}
        onClick={() => downloading.mutate()}
        className="flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left text-table transition-colors hover:bg-sunk"
      >
        <span className="min-w-0 flex-1">
          <span className="sr-only">Download </span>
          <FileFacts file={file} />
        </span>
        <Download className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      </button>
      {downloading.isError ? (
        <p role="alert" className="px-4 pb-2 text-table text-fault">
          {problemDetail(downloading.error)}
        </p>
      ) : null}
    </li>
  );
}
