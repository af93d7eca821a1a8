import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, CircleArrowUp, LogOut, MonitorSmartphone, ReceiptText, UserRound } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { Menu, MenuItem, type MenuProps, MenuSeparator } from "../../ui/menu.tsx";

const pages = [
  { to: "/settings/upgrade", label: "Upgrade", Icon: CircleArrowUp },
  { to: "/settings/account", label: "Account", Icon: UserRound },
  { to: "/settings/billing", label: "Billing", Icon: ReceiptText },
  { to: "/settings/notifications", label: "Notifications", Icon: Bell },
  { to: "/settings/sessions", label: "Sessions", Icon: MonitorSmartphone },
] as const;

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
      {pages.map(({ to, label, Icon }) => (
        <MenuItem key={to} asChild>
          <Link to={to}>
            <Icon aria-hidden="true" /> {label}
          </Link>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/logout" preload={false}>
          <LogOut aria-hidden="true" /> Log out
        </Link>
      </MenuItem>
    </Menu>
  );
}
