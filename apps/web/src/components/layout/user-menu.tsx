import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";

export function UserMenu() {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  const initials = `${me.firstName.charAt(0)}${me.lastName.charAt(0)}`.toUpperCase();
  return (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          aria-label={`${initials}, your account`}
          title={`${me.firstName} ${me.lastName}`}
          className="grid size-8 shrink-0 place-items-center rounded-full bg-brand text-xs font-semibold text-on-brand"
        >
          {initials}
        </button>
      }
    >
      <div className="px-2 py-1.5">
        <p className="truncate font-medium">
          {me.firstName} {me.lastName}
        </p>
        <p className="truncate text-table text-ink-soft">{me.email}</p>
      </div>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/logout" preload={false}>
          <LogOut aria-hidden="true" /> Log out
        </Link>
      </MenuItem>
    </Menu>
  );
}
