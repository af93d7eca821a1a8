import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Logo } from "../components/logo.tsx";
import { SkipLink } from "../components/skip-link.tsx";
import { ThemeSwitch } from "../components/theme-switch.tsx";
import { meQuery } from "../data/me-query.ts";
import { isSignedIn } from "../data/session.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

export function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="mx-auto flex h-16 w-full max-w-[1120px] items-center justify-between gap-4 px-5">
        <Link to="/" className="rounded-md">
          <Logo />
        </Link>
        <div className="flex items-center gap-2">
          <ThemeSwitch />
          <WhoIsHere />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Outlet />
      </main>
    </div>
  );
}

function WhoIsHere() {
  const signedIn = isSignedIn();
  const me = useQuery({ ...meQuery, enabled: signedIn });
  if (me.data) {
    return (
      <Button asChild tone="plain">
        <Link to="/dashboard">{me.data.firstName}</Link>
      </Button>
    );
  }
  if (signedIn && me.isPending) return <Skeleton className="h-9 w-20 rounded-md" />;
  return (
    <Button asChild tone="plain">
      <Link to="/login">Login</Link>
    </Button>
  );
}
