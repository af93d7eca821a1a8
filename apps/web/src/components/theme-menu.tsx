import { clsx } from "clsx";
import { Moon, Sun } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import { LaterMenu } from "../ui/later-menu.tsx";
import { laterPart } from "../ui/later-part.tsx";
import { useTheme } from "./use-theme.ts";

const Items = laterPart(() => import("./theme-items.tsx"), "ThemeItems");

export function ThemeMenu() {
  // The system's choice is followed from the first paint on, whether the menu's code has loaded or not.
  useTheme();
  return (
    <LaterMenu
      menu={Items}
      trigger={
        <button
          type="button"
          aria-label="Theme"
          title="Theme"
          className={clsx(buttonLook({ tone: "quiet" }), "size-9 px-0")}
        >
          <Sun className="dark:hidden" />
          <Moon className="hidden dark:block" />
        </button>
      }
    />
  );
}
