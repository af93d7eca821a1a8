import { Monitor, Moon, Sun } from "lucide-react";
import { Menu, MenuChoice, MenuChoices } from "../ui/menu.tsx";
import { isTheme, useTheme } from "./use-theme.ts";
import { buttonLook } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      className="min-w-36"
      trigger={
        <button
          type="button"
          aria-label="Theme"
          title="Theme"
          className={classNames(buttonLook({ tone: "quiet" }), "size-9 px-0")}
        >
          <Sun className="dark:hidden" />
          <Moon className="hidden dark:block" />
        </button>
      }
    >
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
