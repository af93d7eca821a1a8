export interface Field {
  fieldId: number;
  externalId: string;
  type: "text" | "email" | "phone" | "category" | "number" | "contact";
  label: string;
  settings: Record<string, unknown>;
  status: "active" | "deleted";
}
export interface App {
  appId: number;
  spaceId: number;
  name: string;
  itemName: string;
  status: "active" | "inactive";
  fields: readonly Field[];
}

const field = (
  fieldId: number,
  type: Field["type"],
  label: string,
  options: { settings?: Record<string, unknown>; status?: Field["status"] } = {},
): Field => ({
  fieldId,
  type,
  label,
  externalId: label.toLowerCase().replaceAll(" ", "-"),
  settings: options.settings ?? {},
  status: options.status ?? "active",
});

/** The id of the app with people is 25_110_001. */
export const leadFields = {
  firstName: 210_000_001,
  lastName: 210_000_002,
  company: 210_000_003,
  jobTitle: 210_000_004,
  email: 210_000_005,
  phone: 210_000_006,
  stage: 210_000_007,
  responsible: 210_000_009,
  nextStep: 210_000_010,
} as const;
const choice = (id: number, text: string) => ({ id, text, status: "active", color: "DCEBD8" });
export const stages = [choice(1, "New"), choice(2, "Contacted"), choice(3, "Won"), choice(4, "Unqualified")];
export const leadsAppId = 25_110_001;

const orgs = [
  {
    orgId: 1_400_001,
    name: "Sandbox Trading",
    urlLabel: "sandbox-trading",
    spaces: [
      { spaceId: 7_200_001, name: "Sales", urlLabel: "sales" },
      { spaceId: 7_200_002, name: "Office", urlLabel: "office" },
    ],
  },
];

export const apps: readonly App[] = [
  {
    appId: leadsAppId,
    spaceId: 7_200_001,
    name: "Leads",
    itemName: "Lead",
    status: "active",
    fields: [
      field(leadFields.firstName, "text", "First name", { settings: { size: "small", format: "plain" } }),
      field(leadFields.lastName, "text", "Last name", { settings: { size: "small", format: "plain" } }),
      field(leadFields.company, "text", "Company", { settings: { size: "small", format: "plain" } }),
      field(leadFields.jobTitle, "text", "Job title", { settings: { size: "small", format: "plain" } }),
      field(leadFields.email, "email", "Email", { settings: { possible_types: ["work", "home", "other"] } }),
      field(leadFields.phone, "phone", "Phone", { settings: { possible_types: ["mobile", "work", "home"] } }),
      field(leadFields.stage, "category", "Status", {
        settings: { multiple: false, display: "inline", options: stages },
      }),
      field(leadFields.responsible, "contact", "Responsible", { settings: { type: "space_users" } }),
      field(leadFields.nextStep, "text", "Next step", { settings: { size: "small", format: "plain" } }),
      field(210_000_008, "text", "Fax", { status: "deleted" }),
    ],
  },
  {
    appId: 25_110_002,
    spaceId: 7_200_001,
    name: "Deals",
    itemName: "Deal",
    status: "active",
    fields: [field(210_000_021, "text", "Title"), field(210_000_022, "number", "Value")],
  },
  {
    appId: 25_110_003,
    spaceId: 7_200_002,
    name: "Inventory",
    itemName: "Thing",
    status: "active",
    fields: [field(210_000_031, "text", "Name")],
  },
  {
    appId: 25_110_004,
    spaceId: 7_200_002,
    name: "Old visitors",
    itemName: "Visitor",
    status: "inactive",
    fields: [field(210_000_041, "text", "Name")],
  },
];

const urlOf = (path: string): string => `https://podio.com/${path}`;

export const listOrgs = () =>
  orgs.map((org) => ({
    org_id: org.orgId,
    name: org.name,
    logo: null,
    url: urlOf(org.urlLabel),
    url_label: org.urlLabel,
    role: "admin",
    status: "active",
    type: "free",
    spaces: org.spaces.map((space) => ({
      space_id: space.spaceId,
      name: space.name,
      url: urlOf(`${org.urlLabel}/${space.urlLabel}`),
      url_label: space.urlLabel,
      role: "admin",
    })),
  }));

export const hasSpace = (spaceId: number): boolean =>
  orgs.some(({ spaces }) => spaces.some((space) => space.spaceId === spaceId));

/** As in a list, without its fields. */
export const describeApp = (app: App) => ({
  app_id: app.appId,
  space_id: app.spaceId,
  status: app.status,
  url_label: app.name.toLowerCase().replaceAll(" ", "-"),
  config: { type: "standard", name: app.name, item_name: app.itemName, description: null, icon: "300.png" },
});

export const describeWholeApp = (app: App) => ({
  ...describeApp(app),
  fields: app.fields.map((one, delta) => ({
    field_id: one.fieldId,
    external_id: one.externalId,
    type: one.type,
    label: one.label,
    status: one.status,
    config: {
      label: one.label,
      description: null,
      delta,
      required: false,
      settings: one.settings,
      visible: true,
      unique: false,
    },
  })),
});
