import { clsx } from "clsx";
import { Upload } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Spinner } from "../ui/spinner.tsx";

interface FileDropProps {
  label: string;
  help: ReactNode;
  /** As in an input's `accept`. */
  accept: string;
  multiple?: boolean;
  busy?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** A file input that fills the drop area: the browser handles drops itself. */
export function FileDrop({ label, help, accept, multiple = false, busy = false, onFiles }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div
      className={clsx(
        "relative flex flex-col items-center gap-1 rounded-md border border-dashed border-field-line/60 px-6 py-6 text-center transition-colors hover:bg-sunk has-focus-visible:outline-2 has-focus-visible:outline-brand",
        over && "border-brand bg-brand-wash",
        busy && "opacity-60",
      )}
    >
      {busy ? <Spinner className="size-5" /> : <Upload className="size-5 text-ink-soft" aria-hidden="true" />}
      <span className="text-sm font-medium" aria-hidden="true">
        {busy ? "Uploading…" : label}
      </span>
      <span id={id} className="text-table text-ink-soft">
        {help}
      </span>
      <input
        type="file"
        aria-label={label}
        aria-describedby={id}
        accept={accept}
        multiple={multiple}
        disabled={busy}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (files.length > 0) onFiles(files);
          // So that the same file can be chosen again.
          event.target.value = "";
        }}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
      />
      <output className="sr-only">{busy ? "Uploading" : ""}</output>
    </div>
  );
}
