import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { isSignedIn } from "./data/session.ts";
import { BrokenScreen } from "./screens/broken-screen.tsx";
import { readDashboardSearch } from "./screens/dashboard/period.ts";
import { NotFoundScreen } from "./screens/not-found-screen.tsx";
import { Root } from "./screens/root.tsx";

export interface Crumb {
  label: string;
  /** A page of its own; without it the crumb is only a word. */
  to?: "/dashboard" | "/integrations" | "/leads" | "/settings/organisations" | "/settings/phone-numbers";
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The tab's title. */
    title?: string;
    /** From the section to this page. */
    crumbs?: readonly Crumb[];
  }
  interface Register {
    router: typeof router;
  }
}

/** Of an address's query, the named texts; what somebody typed there besides is left out. */
function pickTexts<K extends string>(given: Record<string, unknown>, names: readonly K[]): { [P in K]?: string } {
  const texts: { [P in K]?: string } = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === "string" || typeof value === "number") texts[name] = String(value);
  }
  return texts;
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: BrokenScreen,
});

const onlySignedOut = () => {
  if (isSignedIn()) throw redirect({ to: "/" });
};

const publicArea = createRoute({
  getParentRoute: () => root,
  id: "public",
  component: lazyRouteComponent(() => import("./screens/public-layout.tsx"), "PublicLayout"),
});
const publicScreens = [
  createRoute({
    getParentRoute: () => publicArea,
    path: "/",
    staticData: { title: "Leadline: a phone in your browser" },
    component: lazyRouteComponent(() => import("./screens/landing/landing-screen.tsx"), "LandingScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/login",
    staticData: { title: "Login" },
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import("./screens/login/login-screen.tsx"), "LoginScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/register",
    staticData: { title: "Register" },
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import("./screens/register/register-screen.tsx"), "RegisterScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/forgot-password",
    staticData: { title: "Forgot your password" },
    component: lazyRouteComponent(
      () => import("./screens/passwords/forgot-password-screen.tsx"),
      "ForgotPasswordScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/reset-password",
    staticData: { title: "Set a new password" },
    component: lazyRouteComponent(() => import("./screens/passwords/reset-password-screen.tsx"), "ResetPasswordScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/invitation",
    staticData: { title: "Invitation" },
    component: lazyRouteComponent(() => import("./screens/invitation/invitation-screen.tsx"), "InvitationScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/logout",
    staticData: { title: "Logging out" },
    component: lazyRouteComponent(() => import("./screens/logout/logout-screen.tsx"), "LogoutScreen"),
  }),
  createRoute({
    getParentRoute: () => publicArea,
    path: "/error",
    staticData: { title: "Auth error" },
    component: lazyRouteComponent(() => import("./screens/auth-error/auth-error-screen.tsx"), "AuthErrorScreen"),
  }),
];

const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  staticData: { title: "Health" },
  component: () => <main className="p-4">{"Ok! "}</main>,
});

const signedInArea = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad() {
    if (!isSignedIn()) throw redirect({ to: "/login" });
  },
  component: lazyRouteComponent(() => import("./screens/signed-in-layout.tsx"), "SignedInLayout"),
});
const signedInScreens = [
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/dashboard",
    validateSearch: readDashboardSearch,
    staticData: { title: "Dashboard", crumbs: [{ label: "Dashboard" }] },
    component: lazyRouteComponent(() => import("./screens/dashboard/dashboard-screen.tsx"), "DashboardScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations",
    staticData: { title: "Integrations", crumbs: [{ label: "Integrations" }] },
    component: lazyRouteComponent(() => import("./screens/integrations/integrations-screen.tsx"), "IntegrationsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/new",
    staticData: {
      title: "New integration",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "New" }],
    },
    component: lazyRouteComponent(
      () => import("./screens/integrations/new-integration-screen.tsx"),
      "NewIntegrationScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/$service/callback",
    staticData: {
      title: "Connecting",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "Connecting" }],
    },
    component: lazyRouteComponent(() => import("./screens/integrations/crm-callback-screen.tsx"), "CrmCallbackScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads",
    staticData: { title: "Leads", crumbs: [{ label: "Leads" }] },
    validateSearch: (given) => pickTexts(given, ["search", "status", "sort"]),
    component: lazyRouteComponent(() => import("./screens/leads/leads-screen.tsx"), "LeadsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/new",
    staticData: { title: "New lead", crumbs: [{ label: "Leads", to: "/leads" }, { label: "New" }] },
    component: lazyRouteComponent(() => import("./screens/leads/new-lead-screen.tsx"), "NewLeadScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/import",
    staticData: { title: "Import leads", crumbs: [{ label: "Leads", to: "/leads" }, { label: "Import" }] },
    validateSearch: (given) => pickTexts(given, ["id"]),
    component: lazyRouteComponent(() => import("./screens/lead-import/lead-import-screen.tsx"), "LeadImportScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/$leadId",
    staticData: { title: "Lead", crumbs: [{ label: "Leads", to: "/leads" }, { label: "Lead" }] },
    component: lazyRouteComponent(() => import("./screens/lead/lead-screen.tsx"), "LeadScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/calls",
    staticData: { title: "Calls", crumbs: [{ label: "Calls" }] },
    component: lazyRouteComponent(() => import("./screens/calls/calls-screen.tsx"), "CallsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/organisations",
    staticData: { title: "Organisations", crumbs: [{ label: "Settings" }, { label: "Organisations" }] },
    component: lazyRouteComponent(
      () => import("./screens/organisations/organisations-screen.tsx"),
      "OrganisationsScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/outcomes",
    staticData: { title: "Outcomes", crumbs: [{ label: "Settings" }, { label: "Outcomes" }] },
    component: lazyRouteComponent(() => import("./screens/outcomes/outcomes-screen.tsx"), "OutcomesScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/organisations/new",
    staticData: {
      title: "New organisation",
      crumbs: [{ label: "Settings" }, { label: "Organisations", to: "/settings/organisations" }, { label: "New" }],
    },
    component: lazyRouteComponent(
      () => import("./screens/organisations/new-organisation-screen.tsx"),
      "NewOrganisationScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/organisations/$organisationId",
    staticData: {
      title: "Organisation",
      crumbs: [{ label: "Settings" }, { label: "Organisations", to: "/settings/organisations" }, { label: "Edit" }],
    },
    component: lazyRouteComponent(
      () => import("./screens/organisations/edit-organisation-screen.tsx"),
      "EditOrganisationScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/general",
    staticData: { title: "General", crumbs: [{ label: "Settings" }, { label: "General" }] },
    component: lazyRouteComponent(() => import("./screens/general/general-screen.tsx"), "GeneralScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/members",
    staticData: { title: "Members", crumbs: [{ label: "Settings" }, { label: "Members" }] },
    component: lazyRouteComponent(() => import("./screens/members/members-screen.tsx"), "MembersScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/phone-numbers",
    staticData: { title: "Phone numbers", crumbs: [{ label: "Settings" }, { label: "Phone numbers" }] },
    component: lazyRouteComponent(
      () => import("./screens/phone-numbers/phone-numbers-screen.tsx"),
      "PhoneNumbersScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/phone-numbers/assign",
    staticData: {
      title: "Get a phone number",
      crumbs: [
        { label: "Settings" },
        { label: "Phone numbers", to: "/settings/phone-numbers" },
        { label: "Get a number" },
      ],
    },
    component: lazyRouteComponent(
      () => import("./screens/phone-numbers/assign-number-screen.tsx"),
      "AssignNumberScreen",
    ),
  }),
];

export const router = createRouter({
  routeTree: root.addChildren([
    publicArea.addChildren(publicScreens),
    signedInArea.addChildren(signedInScreens),
    health,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: BrokenScreen,
});
