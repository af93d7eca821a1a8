import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { meQuery } from "../data/me-query.ts";
import { queryClient } from "../data/query-client.ts";
import { isSignedIn } from "../data/session.ts";
import { BrokenScreen } from "../screens/broken-screen.tsx";
import { LoadingScreen } from "../screens/loading-screen.tsx";
import { NotFoundScreen } from "../screens/not-found-screen.tsx";
import { Root } from "../screens/root.tsx";
import { lazyScreen } from "./lazy-screen.ts";

interface Crumb {
  label: string;
  /** The page's lead gives its name for the label, once it is known. */
  isLead?: true;
  /** A page of its own; without it the crumb is only a word. */
  to?:
    | "/dashboard"
    | "/integrations"
    | "/leads"
    | "/settings/billing"
    | "/settings/organisations"
    | "/settings/phone-numbers"
    | "/settings/carriers";
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

/** For screens of whoever is signed in; others go to the hosted login, and without one to ours. */
export const signedInArea = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  async beforeLoad({ preload, location }) {
    if (isSignedIn()) {
      // The page asks for it first, and its own code is still on the way.
      void queryClient.prefetchQuery(meQuery);
      return;
    }
    if (!preload) {
      const { goToHostedLogin } = await import("../data/hosted-login.ts");
      // The browser is on its way, so this page has nothing more to show.
      if (await goToHostedLogin(location.href)) await new Promise(() => {});
    }
    throw redirect({ to: "/login" });
  },
  pendingComponent: LoadingScreen,
  component: lazyScreen(() => import("../screens/signed-in-layout.tsx"), "SignedInLayout"),
});
