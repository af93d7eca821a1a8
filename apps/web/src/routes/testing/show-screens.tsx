import { notifyManager, type QueryKey, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import type { FunctionComponent } from "react";
import { remountForParams } from "../remount-for-params.ts";

interface ShowScreens {
  /** The open path. */
  at: string;
  /** By path, in the signed-in area as in the app. */
  screens: Record<string, FunctionComponent>;
  /** Wraps the screens. */
  layout?: FunctionComponent;
  /** What the server has already returned, by query. */
  known?: readonly (readonly [QueryKey, unknown])[];
}

// The default scheduler uses a timer, which act() doesn't wait for, so a screen would show old data.
notifyManager.setScheduler(queueMicrotask);

/** Renders screens in their own router and query client. No request is sent unless a test allows it. */
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
