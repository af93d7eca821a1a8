import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, CircleArrowUp, LogOut, MonitorSmartphone, ReceiptText, UserRound } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { Menu, MenuItem, type MenuProps, MenuSeparator } from "../../ui/menu.tsx";

export function UserMenuItems(props: Pick<MenuProps, "trigger" | "startsOpen">) {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  return (
    <Menu {...props} className="w-60">
      <div className="px-2 py-1.5">
        <p className="truncate font-medium">
          {me.firstName} {me.lastName}
        </p>
        <p className="truncate text-table text-ink-soft">{me.email}</p>
      </div>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/settings/upgrade">
          <CircleArrowUp aria-hidden="true" /> Upgrade
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings/account">
          <UserRound aria-hidden="true" /> Account
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings/billing">
          <ReceiptText aria-hidden="true" /> Billing
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings/notifications">
          <Bell aria-hidden="true" /> Notifications
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings/sessions">
          <MonitorSmartphone aria-hidden="true" /> Sessions
        </Link>
      </MenuItem>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/logout" preload={false}>
          <LogOut aria-hidden="true" /> Log out
        </Link>
      </MenuItem>
    </Menu>
  );
}
