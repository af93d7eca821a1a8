import type { StoredFile } from "@leadline/contract/files";
import { formatBytes } from "./format-bytes.ts";
import { formatWhen } from "./format-time.ts";
import { useNow } from "./use-now.ts";

/** Two lines: its name; its size, who uploaded it and when. */
export function FileFacts({ file }: { file: StoredFile }) {
  const now = useNow();
  return (
    <>
      <span className="block truncate font-medium" title={file.name}>
        {file.name}
      </span>
      <span className="block truncate text-xs text-ink-soft">
        {formatBytes(file.sizeBytes)}, {file.userName}, {formatWhen(file.createdAt, now)}
      </span>
    </>
  );
}
