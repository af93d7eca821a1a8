import { Outlet, useMatches } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { isSignedIn, onSessionChangedElsewhere } from "../data/session.ts";
import { laterPart } from "../ui/later-part.tsx";

const PublicPagesPhone = laterPart(() => import("./public-pages-phone.tsx"), "PublicPagesPhone");

export function Root() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? "Not found" });
  useEffect(() => {
    document.title = title.includes("Leadline") ? title : `${title} · Leadline`;
  }, [title]);
  return (
    <>
      <Outlet />
      <PhoneOutsideApp />
    </>
  );
}

/** The signed-in area has its own phone. Elsewhere it is here, so that a call survives navigation to any page. */
function PhoneOutsideApp() {
  const isOutside = useMatches({ select: (shown) => !shown.some(({ routeId }) => routeId === "/signed-in") });
  const signedIn = useSyncExternalStore(onSessionChangedElsewhere, isSignedIn);
  return isOutside && signedIn ? <PublicPagesPhone /> : null;
}
