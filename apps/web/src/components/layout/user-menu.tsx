import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../data/me-query.ts";
import { LaterMenu } from "../../ui/later-menu.tsx";
import { laterPart } from "../../ui/later-part.tsx";
import { Avatar, initialsOf } from "../avatar.tsx";

const Items = laterPart(() => import("./user-menu-items.tsx"), "UserMenuItems");

export function UserMenu() {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  return (
    <LaterMenu
      menu={Items}
      trigger={
        <button
          type="button"
          aria-label={`${initialsOf(me)}, your account`}
          title={`${me.firstName} ${me.lastName}`}
          className="shrink-0 rounded-full"
        >
          <Avatar person={me} />
        </button>
      }
    />
  );
}
