import { Link, Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Logo } from "../components/logo.tsx";
import { SkipLink } from "../components/skip-link.tsx";
import { ThemeSwitch } from "../components/theme-switch.tsx";
import { isSignedIn } from "../data/session.ts";
import { Button } from "../ui/button.tsx";

const FirstNameLink = lazy(async () => ({
  default: (await import("../components/first-name-link.tsx")).FirstNameLink,
}));

export function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="mx-auto flex h-16 w-full max-w-[1120px] items-center justify-between gap-4 px-5">
        <Link to="/" className="flex rounded-md">
          <Logo />
        </Link>
        <div className="flex items-center gap-2">
          <ThemeSwitch />
          <SignedInPerson />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <PublicFooter />
    </div>
  );
}

const footerLinks = [
  ["/faq", "FAQ"],
  ["/about", "About"],
  ["/privacy-policy", "Privacy policy"],
  ["/terms-of-use", "Terms of use"],
] as const;

function PublicFooter() {
  return (
    <footer className="border-t border-line">
      <nav
        aria-label="About Leadline"
        className="mx-auto flex w-full max-w-[1120px] flex-wrap items-center gap-x-6 gap-y-1 px-5 py-4 text-table text-ink-soft"
      >
        {footerLinks.map(([to, label]) => (
          <Link key={to} to={to} className="rounded-[4px] py-1.5 hover:text-ink hover:underline">
            {label}
          </Link>
        ))}
      </nav>
    </footer>
  );
}

const loginLink = (
  <Button asChild tone="plain">
    <Link to="/login">Login</Link>
  </Button>
);

function SignedInPerson() {
  if (!isSignedIn()) return loginLink;
  return (
    <Suspense fallback={<span className="h-9 w-20" />}>
      <FirstNameLink otherwise={loginLink} />
    </Suspense>
  );
}
