import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { TableCell, TableRow } from "../../ui/table.tsx";

/** A line of its own under a row, for what its cells are too narrow for. A fault is read out at once. */
export function RowNote({ tone, children }: { tone: "fault" | "plain"; children: ReactNode }) {
  const Icon = tone === "fault" ? CircleAlert : Info;
  return (
    <TableRow className="h-auto">
      <TableCell colSpan={6} className="pt-0 pb-3">
        <p
          role={tone === "fault" ? "alert" : undefined}
          className={classNames(
            "sticky left-3 flex w-fit max-w-[min(72ch,calc(100vw-64px))] items-start gap-2 text-pretty md:left-4",
            tone === "fault" ? "text-fault" : "text-ink-soft",
          )}
        >
          <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {children}
        </p>
      </TableCell>
    </TableRow>
  );
}
