import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Menu } from "./menu.tsx";

interface RowMenuProps {
  /** The subject of the row, for the accessible name: “Actions for Bob Stone”. */
  of: string;
  busy?: boolean;
  children: ReactNode;
}

/** The actions at the end of a table row. */
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
