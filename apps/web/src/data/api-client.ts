import { createApiClient } from "./create-api-client.ts";
import { isPublicPath } from "./public-paths.ts";
import { session } from "./session.ts";

export const { request, requestPage, requestFile, refreshAccess } = createApiClient({
  baseUrl: "/api",
  session,
  // Missing on plain-http origins, whatever the type says.
  locks: "locks" in navigator ? navigator.locks : undefined,
  onSignedOut() {
    if (!isPublicPath(location.pathname)) location.assign("/login");
  },
});
