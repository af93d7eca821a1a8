import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Image, LogOut } from "lucide-react";
import { useState } from "react";
import { meQuery } from "../../data/me-query.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Avatar, initialsOf } from "../avatar.tsx";
import { PictureDialog } from "./picture-dialog.tsx";

export function UserMenu() {
  const me = useQuery(meQuery).data;
  const [pictureOpen, setPictureOpen] = useState(false);
  if (!me) return null;
  return (
    <>
      <Menu
        className="w-60"
        trigger={
          <button
            type="button"
            aria-label={`${initialsOf(me)}, your account`}
            title={`${me.firstName} ${me.lastName}`}
            className="shrink-0 rounded-full"
          >
            <Avatar user={me} />
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
        <MenuItem onSelect={() => setPictureOpen(true)}>
          <Image aria-hidden="true" /> Your picture
        </MenuItem>
        <MenuItem asChild>
          <Link to="/logout" preload={false}>
            <LogOut aria-hidden="true" /> Log out
          </Link>
        </MenuItem>
      </Menu>
      <PictureDialog me={me} open={pictureOpen} onOpenChange={setPictureOpen} />
    </>
  );
}
