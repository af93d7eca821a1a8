import { notifyManager, type QueryKey, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import type { FunctionComponent } from "react";
import { remountForParams } from "../remount-for-params.ts";

interface ShowScreens {
  /** The path that is open. */
  at: string;
  /** By their paths, in the signed-in area as the app has it. */
  screens: Record<string, FunctionComponent>;
  /** Around the screens. */
  layout?: FunctionComponent;
  /** What the server has answered already, by query. */
  known?: readonly (readonly [QueryKey, unknown])[];
}

// Its own scheduler is a timer, which act() does not wait for: a screen would then show what it knew before.
notifyManager.setScheduler(queueMicrotask);

/** Screens in a router and a query client of the test's own; nothing is asked of a server by itself. */
export async function showScreens({ at, screens, layout = Outlet, known = [] }: ShowScreens) {
  const root = createRootRoute();
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: layout });
  const routes = Object.entries(screens).map(([path, component]) =>
    createRoute({ getParentRoute: () => signedIn, path, component }),
  );
  history.replaceState({}, "", at);
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren(routes)]),
    defaultRemountDeps: remountForParams,
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  for (const [key, data] of known) client.setQueryData(key, data);
  const { unmount } = await act(async () =>
    render(
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  );
  return { router, unmount };
}
