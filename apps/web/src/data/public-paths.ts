const publicPaths = new Set([
  "/",
  "/register",
  "/login",
  "/logout",
  "/forgot-password",
  "/reset-password",
  "/invitation",
  "/health",
  "/faq",
  "/about",
  "/privacy-policy",
  "/terms-of-use",
  // Users who are sent there have tokens that no longer work.
  "/error",
]);

/** Pages on which a 401 doesn't redirect to the login. */
export const isPublicPath = (pathname: string): boolean =>
  publicPaths.has(pathname === "/" ? pathname : pathname.replace(/\/+$/, "")) || /^\/oauth2(\/|$)/.test(pathname);
