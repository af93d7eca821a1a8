import { Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../../ui/icon-button.tsx";
import { withCommandKey } from "./shortcuts.ts";
import { usePaletteKeys } from "./use-palette-keys.ts";

const CommandPalette = lazy(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));
const ShortcutsDialog = lazy(async () => ({ default: (await import("./shortcuts-dialog.tsx")).ShortcutsDialog }));

/**
 * The command palette and the list of shortcuts, each loaded when first opened, and a button for users without a
 * keyboard.
 */
export function Palette() {
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  usePaletteKeys({
    togglePalette: () => setOpen(open === "palette" ? null : "palette"),
    showShortcuts: () => setOpen("shortcuts"),
  });
  const close = () => setOpen(null);
  return (
    <>
      <IconButton label="Go to or call" shortcut={withCommandKey("K").join(" ")} onClick={() => setOpen("palette")}>
        <Search />
      </IconButton>
      <Suspense>
        {open === "palette" ? <CommandPalette onClose={close} onShowShortcuts={() => setOpen("shortcuts")} /> : null}
        {open === "shortcuts" ? <ShortcutsDialog onClose={close} /> : null}
      </Suspense>
    </>
  );
}
