import { createRoute } from "@tanstack/react-router";
import { readDashboardSearch } from "../screens/dashboard/period.ts";
import { signedInArea } from "./areas.tsx";
import { lazyScreen } from "./lazy-screen.ts";
import { pickTexts } from "./pick-texts.ts";

export const workRoutes = [
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/dashboard",
    validateSearch: readDashboardSearch,
    staticData: { title: "Dashboard", crumbs: [{ label: "Dashboard" }] },
    loader: () => {
      const steps = import("../screens/dashboard/use-first-steps.ts");
      // The page itself will repeat and report any failed request.
      steps.then(({ prefetchFirstSteps }) => prefetchFirstSteps()).catch(() => {});
    },
    component: lazyScreen(() => import("../screens/dashboard/dashboard-screen.tsx"), "DashboardScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations",
    staticData: { title: "Integrations", crumbs: [{ label: "Integrations" }] },
    component: lazyScreen(() => import("../screens/integrations/integrations-screen.tsx"), "IntegrationsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/new",
    staticData: {
      title: "New integration",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "New" }],
    },
    component: lazyScreen(() => import("../screens/integrations/new-integration-screen.tsx"), "NewIntegrationScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/$integrationId/source",
    staticData: {
      title: "Lead fields",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "Lead fields" }],
    },
    component: lazyScreen(() => import("../screens/integrations/source-screen.tsx"), "SourceScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/$integrationId/syncs/$runId",
    staticData: {
      title: "Sync",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "Sync" }],
    },
    component: lazyScreen(() => import("../screens/integrations/sync-run-screen.tsx"), "SyncRunScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/integrations/$service/callback",
    staticData: {
      title: "Connecting",
      crumbs: [{ label: "Integrations", to: "/integrations" }, { label: "Connecting" }],
    },
    component: lazyScreen(() => import("../screens/integrations/crm-callback-screen.tsx"), "CrmCallbackScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads",
    staticData: { title: "Leads", crumbs: [{ label: "Leads" }] },
    validateSearch: (given) =>
      pickTexts(given, ["search", "status", "owner", "called", "due", "followUpOwner", "sort"]),
    component: lazyScreen(() => import("../screens/leads/leads-screen.tsx"), "LeadsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/new",
    staticData: { title: "New lead", crumbs: [{ label: "Leads", to: "/leads" }, { label: "New" }] },
    validateSearch: (given) => pickTexts(given, ["phone"]),
    component: lazyScreen(() => import("../screens/leads/new-lead-screen.tsx"), "NewLeadScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/import",
    staticData: { title: "Import leads", crumbs: [{ label: "Leads", to: "/leads" }, { label: "Import" }] },
    validateSearch: (given) => pickTexts(given, ["id"]),
    component: lazyScreen(() => import("../screens/lead-import/lead-import-screen.tsx"), "LeadImportScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/conflicts",
    staticData: { title: "Conflicts", crumbs: [{ label: "Leads", to: "/leads" }, { label: "Conflicts" }] },
    component: lazyScreen(() => import("../screens/lead-conflicts/lead-conflicts-screen.tsx"), "LeadConflictsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/leads/$leadId",
    validateSearch: (given) => pickTexts(given, ["tab"]),
    staticData: {
      title: "Lead",
      crumbs: [
        { label: "Leads", to: "/leads" },
        { label: "Lead", isLead: true },
      ],
    },
    component: lazyScreen(() => import("../screens/lead/lead-screen.tsx"), "LeadScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/calls",
    validateSearch: (given) => pickTexts(given, ["tab"]),
    staticData: { title: "Calls", crumbs: [{ label: "Calls" }] },
    component: lazyScreen(() => import("../screens/calls/calls-screen.tsx"), "CallsScreen"),
  }),
];
