import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { meQuery } from "../data/me-query.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** The logged-in user's name as a link to the dashboard; `otherwise` if the session is over. */
export function FirstNameLink({ otherwise }: { otherwise: ReactNode }) {
  const me = useQuery(meQuery);
  if (me.isPending) return <Skeleton className="h-9 w-20 rounded-md" />;
  if (!me.data) return otherwise;
  return (
    <Button asChild tone="plain">
      <Link to="/dashboard">{me.data.firstName}</Link>
    </Button>
  );
}
