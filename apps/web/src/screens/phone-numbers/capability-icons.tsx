import type { AvailableNumber } from "@leadline/contract/phone-numbers";
import { Image, type LucideIcon, MessageSquare, Phone, Printer } from "lucide-react";

type Capabilities = AvailableNumber["capabilities"];

const icons: readonly { key: keyof Capabilities; label: string; icon: LucideIcon }[] = [
  { key: "voice", label: "Voice", icon: Phone },
  { key: "sms", label: "SMS", icon: MessageSquare },
  { key: "mms", label: "MMS", icon: Image },
  { key: "fax", label: "Fax", icon: Printer },
];

/** Each capability has its own position, so that rows can be compared at a glance. */
export function CapabilityIcons({ capabilities }: { capabilities: Capabilities }) {
  return (
    <span className="grid w-24 grid-cols-4">
      {icons.map(({ key, label, icon: Icon }) =>
        capabilities[key] ? (
          <span key={key} role="img" aria-label={label} title={label} className="text-brand">
            <Icon className="size-4" aria-hidden="true" />
          </span>
        ) : (
          <span key={key} aria-hidden="true" title={`No ${label}`} className="grid size-4 place-items-center">
            <span className="size-1 rounded-full bg-line" />
          </span>
        ),
      )}
    </span>
  );
}

/** Voice, SMS and Fax: as in a sentence. */
export function capabilitiesLabel(capabilities: Capabilities): string {
  const can = icons.filter(({ key }) => capabilities[key]).map(({ label }) => label);
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(can);
}
