import { Monitor, Moon, Sun } from "lucide-react";
import { Menu, MenuChoice, MenuChoices, type MenuProps } from "../ui/menu.tsx";
import { isTheme, useTheme } from "./use-theme.ts";

export function ThemeItems(props: Pick<MenuProps, "trigger" | "startsOpen">) {
  const [theme, setTheme] = useTheme();
  return (
    <Menu {...props} className="min-w-36">
      <MenuChoices value={theme} onValueChange={(value) => isTheme(value) && setTheme(value)}>
        <MenuChoice value="light">
          <Sun aria-hidden="true" /> Light
        </MenuChoice>
        <MenuChoice value="dark">
          <Moon aria-hidden="true" /> Dark
        </MenuChoice>
        <MenuChoice value="system">
          <Monitor aria-hidden="true" /> System
        </MenuChoice>
      </MenuChoices>
    </Menu>
  );
}
