import { clsx } from "clsx";
import { Monitor, Moon, Sun } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import { type Theme, useTheme } from "./use-theme.ts";

const next = { system: "light", light: "dark", dark: "system" } as const satisfies Record<Theme, Theme>;
const icons = { system: Monitor, light: Sun, dark: Moon };

/** The theme as one button that cycles, for pages that load no menu. */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const Icon = icons[theme];
  const label = `Theme: ${theme}. Switch to ${next[theme]}`;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(next[theme])}
      className={clsx(buttonLook({ tone: "quiet" }), "size-9 px-0")}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}
