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
  /** The lead's name becomes the page's title, once it is known. */
  isLead?: true;
  /** The crumb's own page. Without it, the crumb is only text. */
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

/** For public screens. */
export const publicArea = createRoute({
  getParentRoute: () => root,
  id: "public",
  component: lazyScreen(() => import("../screens/public-layout.tsx"), "PublicLayout"),
});

/** For signed-in screens. Others go to the hosted login, or to our login page without one. */
export const signedInArea = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  async beforeLoad({ preload, location }) {
    if (isSignedIn()) {
      // The page needs it first, and its code is still loading.
      void queryClient.prefetchQuery(meQuery);
      return;
    }
    if (!preload) {
      const { goToHostedLogin } = await import("../data/hosted-login.ts");
      // The browser is being redirected, so stop rendering here.
      if (await goToHostedLogin(location.href)) await new Promise(() => {});
    }
    throw redirect({ to: "/login" });
  },
  pendingComponent: LoadingScreen,
  component: lazyScreen(() => import("../screens/signed-in-layout.tsx"), "SignedInLayout"),
});
