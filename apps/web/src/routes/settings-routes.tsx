import { createRoute, redirect } from "@tanstack/react-router";
import { signedInArea } from "./areas.tsx";
import { lazyScreen } from "./lazy-screen.ts";
import { pickTexts } from "./pick-texts.ts";

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings",
    beforeLoad: () => {
      throw redirect({ to: "/settings/general", replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/organisations",
    staticData: { title: "Organisations", crumbs: [{ label: "Settings" }, { label: "Organisations" }] },
    component: lazyScreen(() => import("../screens/organisations/organisations-screen.tsx"), "OrganisationsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/voicemail",
    staticData: { title: "Voicemail", crumbs: [{ label: "Settings" }, { label: "Voicemail" }] },
    component: lazyScreen(() => import("../screens/voicemail/voicemail-screen.tsx"), "VoicemailScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/outcomes",
    staticData: { title: "Outcomes", crumbs: [{ label: "Settings" }, { label: "Outcomes" }] },
    component: lazyScreen(() => import("../screens/outcomes/outcomes-screen.tsx"), "OutcomesScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/do-not-call",
    staticData: { title: "Do not call", crumbs: [{ label: "Settings" }, { label: "Do not call" }] },
    component: lazyScreen(() => import("../screens/do-not-call/do-not-call-screen.tsx"), "DoNotCallScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/notifications",
    staticData: { title: "Notifications", crumbs: [{ label: "Settings" }, { label: "Notifications" }] },
    component: lazyScreen(() => import("../screens/notifications/notifications-screen.tsx"), "NotificationsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/upgrade",
    staticData: { title: "Upgrade", crumbs: [{ label: "Settings" }, { label: "Upgrade" }] },
    component: lazyScreen(() => import("../screens/upgrade/upgrade-screen.tsx"), "UpgradeScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/organisations/new",
    staticData: {
      title: "New organisation",
      crumbs: [{ label: "Settings" }, { label: "Organisations", to: "/settings/organisations" }, { label: "New" }],
    },
    component: lazyScreen(
      () => import("../screens/organisations/new-organisation-screen.tsx"),
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
    component: lazyScreen(
      () => import("../screens/organisations/edit-organisation-screen.tsx"),
      "EditOrganisationScreen",
    ),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/general",
    staticData: { title: "General", crumbs: [{ label: "Settings" }, { label: "General" }] },
    component: lazyScreen(() => import("../screens/general/general-screen.tsx"), "GeneralScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/members",
    staticData: { title: "Members", crumbs: [{ label: "Settings" }, { label: "Members" }] },
    component: lazyScreen(() => import("../screens/members/members-screen.tsx"), "MembersScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/account",
    staticData: { title: "Account", crumbs: [{ label: "Settings" }, { label: "Account" }] },
    component: lazyScreen(() => import("../screens/account/account-screen.tsx"), "AccountScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/sessions",
    staticData: { title: "Sessions", crumbs: [{ label: "Settings" }, { label: "Sessions" }] },
    component: lazyScreen(() => import("../screens/sessions/sessions-screen.tsx"), "SessionsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/billing",
    staticData: { title: "Billing", crumbs: [{ label: "Settings" }, { label: "Billing" }] },
    component: lazyScreen(() => import("../screens/billing/billing-screen.tsx"), "BillingScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/billing/carrier-costs",
    staticData: {
      title: "Carrier costs",
      crumbs: [{ label: "Settings" }, { label: "Billing", to: "/settings/billing" }, { label: "Carrier costs" }],
    },
    component: lazyScreen(() => import("../screens/billing/carrier-costs-screen.tsx"), "CarrierCostsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/billing/top-ups/$topUpId",
    staticData: {
      title: "Top-up",
      crumbs: [{ label: "Settings" }, { label: "Billing", to: "/settings/billing" }, { label: "Top-up" }],
    },
    component: lazyScreen(() => import("../screens/billing/top-up-screen.tsx"), "TopUpScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/audit-log",
    staticData: { title: "Audit log", crumbs: [{ label: "Settings" }, { label: "Audit log" }] },
    validateSearch: (given) => pickTexts(given, ["userId", "action", "search", "from", "to"]),
    component: lazyScreen(() => import("../screens/audit-log/audit-log-screen.tsx"), "AuditLogScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/limits",
    staticData: { title: "Limits", crumbs: [{ label: "Settings" }, { label: "Limits" }] },
    component: lazyScreen(() => import("../screens/limits/limits-screen.tsx"), "LimitsScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/phone-numbers",
    staticData: { title: "Phone numbers", crumbs: [{ label: "Settings" }, { label: "Phone numbers" }] },
    component: lazyScreen(() => import("../screens/phone-numbers/phone-numbers-screen.tsx"), "PhoneNumbersScreen"),
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
    validateSearch: (given) => pickTexts(given, ["country", "search", "account"]),
    component: lazyScreen(() => import("../screens/phone-numbers/assign-number-screen.tsx"), "AssignNumberScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/carriers",
    staticData: { title: "Carriers", crumbs: [{ label: "Settings" }, { label: "Carriers" }] },
    component: lazyScreen(() => import("../screens/carriers/carriers-screen.tsx"), "CarriersScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/carriers/new",
    staticData: {
      title: "Connect a carrier",
      crumbs: [{ label: "Settings" }, { label: "Carriers", to: "/settings/carriers" }, { label: "New" }],
    },
    component: lazyScreen(() => import("../screens/carriers/carrier-form-screen.tsx"), "NewCarrierScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/carriers/$carrierId",
    staticData: {
      title: "Carrier",
      crumbs: [{ label: "Settings" }, { label: "Carriers", to: "/settings/carriers" }, { label: "Edit" }],
    },
    component: lazyScreen(() => import("../screens/carriers/carrier-form-screen.tsx"), "EditCarrierScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/carriers/$carrierId/trace",
    staticData: {
      title: "SIP trace",
      crumbs: [{ label: "Settings" }, { label: "Carriers", to: "/settings/carriers" }, { label: "SIP trace" }],
    },
    component: lazyScreen(() => import("../screens/carriers/carrier-trace-screen.tsx"), "CarrierTraceScreen"),
  }),
  createRoute({
    getParentRoute: () => signedInArea,
    path: "/settings/carriers/$carrierId/rates",
    staticData: {
      title: "Rates",
      crumbs: [{ label: "Settings" }, { label: "Carriers", to: "/settings/carriers" }, { label: "Rates" }],
    },
    component: lazyScreen(() => import("../screens/rates/rates-screen.tsx"), "RatesScreen"),
  }),
];
