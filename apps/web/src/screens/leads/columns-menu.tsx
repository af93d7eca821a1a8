import { Columns3 } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuCheck, MenuLabel } from "../../ui/menu.tsx";
import { columnOf, type LeadColumnKey, optionalColumns } from "./lead-columns.tsx";

interface ColumnsMenuProps {
  columns: readonly LeadColumnKey[];
  onChoose: (columns: LeadColumnKey[]) => void;
}

/** Shows and hides columns of the list. */
export function ColumnsMenu({ columns, onChoose }: ColumnsMenuProps) {
  return (
    <Menu
      trigger={
        <Button tone="plain" className="max-md:hidden">
          <Columns3 aria-hidden="true" /> Columns
        </Button>
      }
    >
      <MenuLabel>Also show</MenuLabel>
      {optionalColumns.map((column) => (
        <MenuCheck
          key={column}
          checked={columns.includes(column)}
          onCheckedChange={(shown) =>
            onChoose(shown ? [...columns, column] : columns.filter((other) => other !== column))
          }
        >
          {columnOf(column).head}
        </MenuCheck>
      ))}
    </Menu>
  );
}
