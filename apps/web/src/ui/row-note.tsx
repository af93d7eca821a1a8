import { clsx } from "clsx";
import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import { TableCell, TableRow } from "./table.tsx";

interface NoteLineProps {
  tone: "fault" | "plain";
  className?: string;
  children: ReactNode;
}

interface RowNoteProps {
  tone?: NoteLineProps["tone"];
  /** The number of columns in the table. */
  columns: number;
  children: ReactNode;
}

/** A full-width line below a table row, for text that is too wide for its cells. A fault is announced immediately. */
export function RowNote({ tone = "fault", columns, children }: RowNoteProps) {
  return (
    <TableRow className="h-auto">
      <TableCell colSpan={columns} className="pt-0 pb-3">
        <NoteLine tone={tone} className="sticky left-3 w-fit max-w-[min(72ch,calc(100vw-64px))] md:left-4">
          {children}
        </NoteLine>
      </TableCell>
    </TableRow>
  );
}

/** The same in a list whose items wrap: below the item's content, at full width. */
export function ItemNote({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <NoteLine tone="fault" className={clsx("basis-full pb-1.5 text-table", className)}>
      {children}
    </NoteLine>
  );
}

function NoteLine({ tone, className, children }: NoteLineProps) {
  const Icon = tone === "fault" ? CircleAlert : Info;
  return (
    <p
      role={tone === "fault" ? "alert" : undefined}
      className={clsx(
        "flex items-start gap-2 text-pretty",
        tone === "fault" ? "text-fault" : "text-ink-soft",
        className,
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
