import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

const Vendor = z.string().max(40).describe("One of those listed by GET /v1/carrier-accounts/kinds");
const Label = oneLine(
  z.string().trim().min(2, "Label must be at least 2 characters.").max(100, "Keep the label under 100 characters."),
);
const Key = z.record(z.string().max(64), z.unknown()).describe("As described by the vendor’s form; stored encrypted");

export const AccountKind = z.object({
  vendor: Vendor,
  name: z.string(),
  keyHelp: z.string().describe("Which permissions the key needs"),
  form: z.record(z.string(), z.unknown()).describe("JSON Schema of the key, like a carrier’s settings"),
  sandboxKey: z
    .record(z.string(), z.string())
    .nullable()
    .describe("A fictitious key that connects the built-in sandbox; null if the sandbox is off"),
  byHand: z
    .array(z.object({ what: z.string(), where: z.string(), url: z.string() }))
    .describe("What the vendor’s API can’t do, and where to do it instead"),
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
    .describe("connecting and disconnecting continue automatically, also after a restart"),
  failure: z.string().nullable().describe("What went wrong and what to do, for an owner"),
  steps: z.array(ConnectStep),
  trunk: z.string().describe("The name of everything that was created at the vendor"),
  carrierId: Id.describe("The carrier that calls use, once connected"),
  carrierRemoved: z
    .boolean()
    .describe("It was connected, but its carrier was removed here, so no calls use it until it’s connected again"),
  isUsed: z
    .boolean()
    .describe("It was connected once: calls and numbers use that connection while a new one is tried or has failed"),
  addressChange: z
    .object({
      from: z.string(),
      to: z.string().nullable().describe("Null if the server has no address for calls any more"),
    })
    .nullable()
    .describe(
      "The vendor calls the address, or the port of it, that this server had when it was connected, so inbound calls may not arrive until it’s connected again. Null if that is still where the server takes calls, or isn’t used",
    ),
  isSandbox: z.boolean(),
  balance: z.object({ micros: z.int(), currency: z.string() }).nullable().describe("When it was last connected"),
  restriction: z.string().nullable().describe("How the vendor restricts the account"),
  createdAt: Timestamp,
});
export type CarrierAccount = z.infer<typeof CarrierAccount>;

export const listAccountKinds = endpoint({
  method: "GET",
  path: "/v1/carrier-accounts/kinds",
  summary: "List the vendors that can be connected by API key, with the settings of each",
  access: "admin",
  audit: null,
  success: [200, z.array(AccountKind)],
  problems: [],
});
export const listCarrierAccounts = endpoint({
  method: "GET",
  path: "/v1/carrier-accounts",
  summary: "List the organisation's accounts at carriers, with their progress",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierAccount)],
  problems: [],
});
export const connectCarrierAccount = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts",
  summary: "Connect an account by API key: sets up a trunk there and uses it for calls; the list shows the progress",
  access: "owner",
  audit: "carrier-account.connected",
  body: z.object({ vendor: Vendor, label: Label, key: Key }),
  success: [201, CarrierAccount],
  problems: ["not-supported", "quota-reached", "too-many-attempts"],
});
export const reconnectCarrierAccount = endpoint({
  method: "POST",
  path: "/v1/carrier-accounts/{id}/connect",
  summary: "Connect again, with another key or the same; what exists is kept",
  access: "owner",
  audit: "carrier-account.reconnected",
  params: IdParams,
  body: z.object({ key: Key.optional().describe("Default: the stored key") }),
  success: [200, CarrierAccount],
  problems: ["not-found", "too-many-attempts"],
});
export const disconnectCarrierAccount = endpoint({
  method: "DELETE",
  path: "/v1/carrier-accounts/{id}",
  summary: "Remove what connecting created at the vendor, then the carrier here; everything else at the vendor stays",
  access: "owner",
  audit: "carrier-account.disconnected",
  params: IdParams,
  query: z.object({
    leave: z
      .enum(["nothing", "everything"])
      .default("nothing")
      .describe("Keeps everything at the vendor, if its key no longer works"),
  }),
  success: [204, null],
  problems: ["not-found", "carrier-refused"],
});
