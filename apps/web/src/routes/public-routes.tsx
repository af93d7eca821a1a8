import { createRoute, redirect } from "@tanstack/react-router";
import { isSignedIn } from "../data/session.ts";
import { publicArea, root } from "./areas.tsx";
import { lazyScreen } from "./lazy-screen.ts";

const onlySignedOut = () => {
  if (isSignedIn()) throw redirect({ to: "/" });
};

export const publicRoutes = [
  createRoute({
    getParentRoute: () => publicArea,
    path: "/",
    staticData: { title: "Leadline: a phone in your browser" },
    component: lazyScreen(() => import("../screens/landing/landing-screen.tsx"), "LandingScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/login",
    staticData: { title: "Login" },
    beforeLoad: onlySignedOut,
    component: lazyScreen(() => import("../screens/login/login-screen.tsx"), "LoginScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/register",
    staticData: { title: "Register" },
    beforeLoad: onlySignedOut,
    component: lazyScreen(() => import("../screens/register/register-screen.tsx"), "RegisterScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/forgot-password",
    staticData: { title: "Forgot your password" },
    component: lazyScreen(() => import("../screens/passwords/forgot-password-screen.tsx"), "ForgotPasswordScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/reset-password",
    staticData: { title: "Set a new password" },
    component: lazyScreen(() => import("../screens/passwords/reset-password-screen.tsx"), "ResetPasswordScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/invitation",
    staticData: { title: "Invitation" },
    component: lazyScreen(() => import("../screens/invitation/invitation-screen.tsx"), "InvitationScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/faq",
    staticData: { title: "Questions and answers" },
    component: lazyScreen(() => import("../screens/about-leadline/faq-screen.tsx"), "FaqScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/about",
    staticData: { title: "About Leadline" },
    component: lazyScreen(() => import("../screens/about-leadline/about-screen.tsx"), "AboutScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/privacy-policy",
    staticData: { title: "Privacy policy" },
    component: lazyScreen(() => import("../screens/about-leadline/privacy-policy-screen.tsx"), "PrivacyPolicyScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/terms-of-use",
    staticData: { title: "Terms of use" },
    component: lazyScreen(() => import("../screens/about-leadline/terms-of-use-screen.tsx"), "TermsOfUseScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/logout",
    staticData: { title: "Logging out" },
    component: lazyScreen(() => import("../screens/logout/logout-screen.tsx"), "LogoutScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/error",
    staticData: { title: "Auth error" },
    component: lazyScreen(() => import("../screens/auth-error/auth-error-screen.tsx"), "AuthErrorScreen"),
  }),
];

export const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  staticData: { title: "Health" },
  component: () => (
    <main className="min-h-dvh p-4">
      <h1>{"Ok! "}</h1>
    </main>
  ),
});

/** The hosted login may be configured with any address below it. */
export const oauth2 = createRoute({
  getParentRoute: () => root,
  path: "/oauth2/$",
  staticData: { title: "Logging in" },
  component: lazyScreen(() => import("../screens/oauth2/oauth2-screen.tsx"), "OAuth2Screen"),
});
