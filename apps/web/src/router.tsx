import { createRouter } from "@tanstack/react-router";
import { publicArea, root, signedInArea } from "./routes/areas.tsx";
import { health, oauth2, publicRoutes } from "./routes/public-routes.tsx";
import { remountForParams } from "./routes/remount-for-params.ts";
import { replaceUnreadableAddress } from "./routes/replace-unreadable-address.ts";
import { parseSearch, stringifySearch } from "./routes/search-as-text.ts";
import { settingsRoutes } from "./routes/settings-routes.tsx";
import { workRoutes } from "./routes/work-routes.tsx";
import { BrokenScreen } from "./screens/broken-screen.tsx";

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

replaceUnreadableAddress();
export const router = createRouter({
  routeTree: root.addChildren([
    publicArea.addChildren(publicRoutes),
    signedInArea.addChildren([...workRoutes, ...settingsRoutes]),
    health,
    oauth2,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultRemountDeps: remountForParams,
  scrollRestoration: true,
  defaultErrorComponent: BrokenScreen,
});
