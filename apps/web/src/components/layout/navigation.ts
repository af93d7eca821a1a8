import type { Access } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";
import { useMemo } from "react";
import { may } from "../may.ts";
import { usePageOrganisation } from "../use-page-organisation.ts";
import {
  Building2,
  Gauge,
  Hash,
  History,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Phone,
  PhoneOff,
  PlugZap,
  RadioTower,
  ReceiptText,
  SlidersHorizontal,
  UserCog,
  Users,
  Voicemail,
} from "lucide-react";

export interface NavigationEntry {
  label: string;
  to:
    | "/dashboard"
    | "/integrations"
    | "/leads"
    | "/calls"
    | "/settings/general"
    | "/settings/organisations"
    | "/settings/members"
    | "/settings/phone-numbers"
    | "/settings/carriers"
    | "/settings/voicemail"
    | "/settings/outcomes"
    | "/settings/do-not-call"
    | "/settings/billing"
    | "/settings/limits"
    | "/settings/audit-log";
  icon: LucideIcon;
  /** Hidden from roles without access: the contract's access for listing what the screen shows. */
  access?: Access;
}
export interface NavigationGroup {
  /** The first group needs none. */
  label: string | null;
  entries: readonly NavigationEntry[];
}

/** Top to bottom: a screen is one line here and one route in routes/. */
const everyScreen: readonly NavigationGroup[] = [
  {
    label: null,
    entries: [
      { label: "Dashboard", to: "/dashboard", icon: LayoutDashboard },
      { label: "Integrations", to: "/integrations", icon: PlugZap },
      { label: "Leads", to: "/leads", icon: Users },
      { label: "Calls", to: "/calls", icon: Phone },
    ],
  },
  {
    label: "Settings",
    entries: [
      { label: "General", to: "/settings/general", icon: SlidersHorizontal },
      { label: "Organisations", to: "/settings/organisations", icon: Building2 },
      { label: "Members", to: "/settings/members", icon: UserCog },
      { label: "Phone numbers", to: "/settings/phone-numbers", icon: Hash },
      { label: "Carriers", to: "/settings/carriers", icon: RadioTower, access: "admin" },
      { label: "Voicemail", to: "/settings/voicemail", icon: Voicemail },
      { label: "Outcomes", to: "/settings/outcomes", icon: ListChecks },
      { label: "Do not call", to: "/settings/do-not-call", icon: PhoneOff },
      { label: "Billing", to: "/settings/billing", icon: ReceiptText },
      { label: "Limits", to: "/settings/limits", icon: Gauge },
      { label: "Audit log", to: "/settings/audit-log", icon: History, access: "admin" },
    ],
  },
];

/** Without what that role can't see. */
export const navigationFor = (role: Role | null): readonly NavigationGroup[] =>
  everyScreen.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ access = "signed-in" }) => may(role, { access })),
  }));

export function useNavigation(): readonly NavigationGroup[] {
  const role = usePageOrganisation()?.role ?? null;
  return useMemo(() => navigationFor(role), [role]);
}
