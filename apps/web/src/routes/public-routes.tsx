import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { isSignedIn } from "../data/session.ts";
import { publicArea, root } from "./areas.tsx";

const onlySignedOut = () => {
  if (isSignedIn()) throw redirect({ to: "/" });
};

export const publicRoutes = [
  createRoute({
    getParentRoute: () => publicArea,
    path: "/",
    staticData: { title: "Leadline: a phone in your browser" },
    component: lazyRouteComponent(() => import("../screens/landing/landing-screen.tsx"), "LandingScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/login",
    staticData: { title: "Login" },
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import("../screens/login/login-screen.tsx"), "LoginScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/register",
    staticData: { title: "Register" },
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import("../screens/register/register-screen.tsx"), "RegisterScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/forgot-password",
    staticData: { title: "Forgot your password" },
    component: lazyRouteComponent(
      () => import("../screens/passwords/forgot-password-screen.tsx"),
      "ForgotPasswordScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/reset-password",
    staticData: { title: "Set a new password" },
    component: lazyRouteComponent(
      () => import("../screens/passwords/reset-password-screen.tsx"),
      "ResetPasswordScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/invitation",
    staticData: { title: "Invitation" },
    component: lazyRouteComponent(() => import("../screens/invitation/invitation-screen.tsx"), "InvitationScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/faq",
    staticData: { title: "Questions and answers" },
    component: lazyRouteComponent(() => import("../screens/about-leadline/faq-screen.tsx"), "FaqScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/about",
    staticData: { title: "About Leadline" },
    component: lazyRouteComponent(() => import("../screens/about-leadline/about-screen.tsx"), "AboutScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/privacy-policy",
    staticData: { title: "Privacy policy" },
    component: lazyRouteComponent(
      () => import("../screens/about-leadline/privacy-policy-screen.tsx"),
      "PrivacyPolicyScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/terms-of-use",
    staticData: { title: "Terms of use" },
    component: lazyRouteComponent(
      () => import("../screens/about-leadline/terms-of-use-screen.tsx"),
      "TermsOfUseScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/logout",
    staticData: { title: "Logging out" },
    component: lazyRouteComponent(() => import("../screens/logout/logout-screen.tsx"), "LogoutScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/error",
    staticData: { title: "Auth error" },
    component: lazyRouteComponent(() => import("../screens/auth-error/auth-error-screen.tsx"), "AuthErrorScreen"),
  }),
];

export const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  staticData: { title: "Health" },
  component: () => (
    <main className="p-4">
      <h1>{"Ok! "}</h1>
    </main>
  ),
});

/** Whatever follows it: which address the hosted login was told is its own affair. */
export const oauth2 = createRoute({
  getParentRoute: () => root,
  path: "/oauth2/$",
  staticData: { title: "Logging in" },
  component: lazyRouteComponent(() => import("../screens/oauth2/oauth2-screen.tsx"), "OAuth2Screen"),
});
