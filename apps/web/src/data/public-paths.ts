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
  // Whoever is sent there has tokens that no longer count.
  "/error",
]);

/** Pages on which a 401 forces nobody to sign in. */
export const isPublicPath = (pathname: string): boolean =>
  publicPaths.has(pathname === "/" ? pathname : pathname.replace(/\/+$/, "")) || /^\/oauth2(\/|$)/.test(pathname);
