import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { isSignedIn } from "../data/session.ts";
import { BrokenScreen } from "../screens/broken-screen.tsx";
import { NotFoundScreen } from "../screens/not-found-screen.tsx";
import { Root } from "../screens/root.tsx";
import { lazyScreen } from "./lazy-screen.ts";

interface Crumb {
  label: string;
  /** A page of its own; without it the crumb is only a word. */
  to?: "/dashboard" | "/integrations" | "/leads" | "/settings/organisations" | "/settings/phone-numbers";
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The tab's title. */
    title?: string;
    /** From the section to this page. */
    crumbs?: readonly Crumb[];
  }
}

export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: BrokenScreen,
});

/** For screens that are open to everybody. */
export const publicArea = createRoute({
  getParentRoute: () => root,
  id: "public",
  component: lazyScreen(() => import("../screens/public-layout.tsx"), "PublicLayout"),
});

/** For screens of whoever is signed in; others go to the login. */
export const signedInArea = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad() {
    if (!isSignedIn()) throw redirect({ to: "/login" });
  },
  component: lazyScreen(() => import("../screens/signed-in-layout.tsx"), "SignedInLayout"),
});
