import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

const Vendor = z.string().max(40).describe("One of those that GET /v1/carrier-accounts/kinds lists");
const Label = oneLine(
  z.string().trim().min(2, "Label must be at least 2 characters.").max(100, "Keep the label under 100 characters."),
);
const Key = z.record(z.string().max(64), z.unknown()).describe("As the vendor’s form asks; kept encrypted");

export const AccountKind = z.object({
  vendor: Vendor,
  name: z.string(),
  keyHelp: z.string().describe("Which permissions the key needs"),
  form: z.record(z.string(), z.unknown()).describe("JSON Schema of the key, as of a carrier’s settings"),
  sandboxKey: z
    .record(z.string(), z.string())
    .nullable()
    .describe("A fictitious key that connects the built-in sandbox; null where it’s off"),
  byHand: z
    .array(z.object({ what: z.string(), where: z.string(), url: z.string() }))
    .describe("What the vendor’s API can’t do, and where its owner does it"),
});
export type AccountKind = z.infer<typeof AccountKind>;

export const ConnectStep = z.object({
  step: z.enum(["account", "trunk", "credentials", "inbound"]),
  done: z.boolean(),
  sentence: z.string().nullable(),
});

export const CarrierAccount = z.object({
  id: Id,
  vendor: Vendor,
  label: z.string(),
  state: z
    .enum(["connecting", "connected", "failed", "disconnecting"])
    .describe("connecting and disconnecting go on by themselves, also after a restart"),
  failure: z.string().nullable().describe("What went wrong and what to do, in words an owner understands"),
  steps: z.array(ConnectStep),
  trunk: z.string().describe("What everything that was made at the vendor is called there"),
  carrierId: Id.describe("The carrier that calls go through, once it is connected"),
  carrierRemoved: z
    .boolean()
    .describe(
      "It is connected, but its carrier was removed here, so no calls go through it until it’s connected again",
    ),
  isSandbox: z.boolean(),
  balance: z.object({ micros: z.int(), currency: z.string() }).nullable().describe("When it was last connected"),
  restriction: z.string().nullable().describe("What the vendor keeps the account from doing"),
  createdAt: Timestamp,
});
export type CarrierAccount = z.infer<typeof CarrierAccount>;

export const listAccountKinds = endpoint({
  method: "GET",
  path: "/v1/carrier-accounts/kinds",
  summary: "Which vendors can be connected by API key, and what each asks",
  access: "admin",
  audit: null,
  success: [200, z.array(AccountKind)],
  problems: [],
});
export const listCarrierAccounts = endpoint({
  method: "GET",
  path: "/v1/carrier-accounts",
  summary: "List the organisation's accounts at carriers, and how connecting goes",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierAccount)],
  problems: [],
});
export const connectCarrierAccount = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts",
  summary: "Connect an account by API key: makes a trunk there and calls through it; read how it goes from the list",
  access: "owner",
  audit: "carrier-account.connected",
  body: z.object({ vendor: Vendor, label: Label, key: Key }),
  success: [201, CarrierAccount],
  problems: ["not-supported", "quota-reached", "too-many-attempts"],
});
export const reconnectCarrierAccount = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts/{id}/connect",
  summary: "Connect again, with another key or the same; what is there already stays",
  access: "owner",
  audit: "carrier-account.reconnected",
  params: IdParams,
  body: z.object({ key: Key.optional().describe("The one that is kept, where it is left out") }),
  success: [200, CarrierAccount],
  problems: ["not-found", "too-many-attempts"],
});
export const disconnectCarrierAccount = endpoint({
  method: "DELETE",
  path: "/v1/carrier-accounts/{id}",
  summary: "Remove what connecting made at the vendor, then the carrier here; everything else at the vendor stays",
  access: "owner",
  audit: "carrier-account.disconnected",
  params: IdParams,
  query: z.object({
    leave: z
      .enum(["nothing", "everything"])
      .default("nothing")
      .describe("What stays at the vendor, if its key is gone"),
  }),
  success: [204, null],
  problems: ["not-found", "carrier-refused"],
});
