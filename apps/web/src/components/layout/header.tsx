import { PanelLeft } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { NewMessagesDot } from "../new-messages.tsx";
import { Palette } from "../palette/palette.tsx";
import { withCommandKey } from "../palette/shortcuts.ts";
import { ThemeMenu } from "../theme-menu.tsx";
import { BalanceBadge } from "./balance-badge.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { OrganisationSwitcher } from "./organisation-switcher.tsx";
import type { SidebarState } from "./use-sidebar.ts";
import { UserMenu } from "./user-menu.tsx";

export function Header({ toggle }: SidebarState) {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-paper pr-3 pl-2 md:gap-2 md:px-4">
      <span className="relative">
        <IconButton label="Toggle sidebar" shortcut={withCommandKey("B").join(" ")} onClick={toggle}>
          <PanelLeft />
        </IconButton>
        <NewMessagesDot className="top-1 right-1 md:hidden" />
      </span>
      <Breadcrumbs className="max-md:hidden" />
      <div className="ml-auto flex min-w-0 items-center gap-1 md:gap-2">
        <BalanceBadge />
        <OrganisationSwitcher />
        <span aria-hidden="true" className="mx-1 h-5 w-px shrink-0 bg-line max-md:hidden" />
        <Palette />
        <ThemeMenu />
        <UserMenu />
      </div>
    </header>
  );
}
