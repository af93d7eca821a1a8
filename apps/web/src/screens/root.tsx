import { Outlet, useMatches } from "@tanstack/react-router";
import { useEffect } from "react";

export function Root() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? "Not found" });
  useEffect(() => {
    document.title = title.includes("Leadline") ? title : `${title} · Leadline`;
  }, [title]);
  return <Outlet />;
}
