import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Menu } from "./menu.tsx";

interface RowMenuProps {
  /** What the row is of, as a reader says it: “Actions for Bob Stone”. */
  of: string;
  busy?: boolean;
  children: ReactNode;
}

/** At the end of a table's row: what can be done with it. */
export function RowMenu({ of, busy = false, children }: RowMenuProps) {
  return (
    <Menu
      trigger={
        <Button tone="quiet" size="small" className="px-2" aria-label={`Actions for ${of}`} busy={busy}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}
