import type { z } from "zod";
import type { AdapterRoute } from "./adapter-route.ts";

export interface WantedCheckout {
  /** Ours, a UUID. The same request again starts nothing new and returns the same checkout; another one with it is refused. */
  reference: string;
  /** Millionths of a US dollar, a whole number of cents. */
  amountMicros: number;
  /** What the payer reads: "Leadline balance, Acme". */
  description: string;
  /** Where the browser goes afterwards, whatever the person did. The reference is already in it. */
  returnUrl: string;
  /** Whether `savedMethods` is to charge the same payment method later. Only for a provider that has them. */
  savesMethod: boolean;
}

/** Money that is taken without the payer, by a method that they saved. */
export interface WantedCharge extends Pick<WantedCheckout, "reference" | "amountMicros" | "description"> {
  /** From the standing of a paid checkout. */
  savedMethod: string;
}

export interface Checkout {
  /** By which `standing` finds it. */
  id: string;
  /** What the browser opens. */
  url: string;
}

/** open: can still be paid. declined, expired: can't be paid any more. */
export type PaymentState = "open" | "paid" | "declined" | "expired";

/** How a payment stands at this moment, as the provider says: totals, so that reports can come twice, late or in any order. */
export interface PaymentStanding {
  state: PaymentState;
  /** Millionths of a US dollar; 0 until it is paid. */
  paidMicros: number;
  refundedMicros: number;
  /** What the payer's bank has taken back. Falls again if the dispute is won. */
  chargedBackMicros: number;
  /** "Visa ending in 4242", for a receipt; null if the provider doesn't say. */
  method: string | null;
  /** For `savedMethods`, if it is paid and the checkout was to save its method. Opaque; no secret without the provider's key. */
  savedMethod: string | null;
}

/** Something has changed; what, `standing` says. */
export interface PaymentReport {
  /** The provider's own. The same event again has the same id. */
  eventId: string;
  reference: string;
}

/**
 * refused: trying again will not help. unreachable: nobody knows whether it took effect; the same reference again finds out.
 * The message is a sentence for a person, and holds no secret.
 */
export class PaymentError extends Error {
  override name = "PaymentError";
  readonly fault: "refused" | "unreachable";
  constructor(fault: "refused" | "unreachable", message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Its methods reject with PaymentError. */
export interface PaymentProvider {
  /** False for a sandbox, and for a vendor's account in test mode: screens and receipts say so. */
  movesMoney: boolean;
  /** The checkout's page can be opened after the payment too, to refund or dispute it. */
  checkoutStays?: true;
  /** Served below `/api/adapters/<id>`: webhooks, whose handler verifies the signature over the bytes that arrived. */
  routes: readonly AdapterRoute[];
  startCheckout(wanted: WantedCheckout): Promise<Checkout>;
  /** Left out by a provider that can't charge without the payer. */
  savedMethods?: SavedMethods;
  /** Nobody can pay it any more. Does nothing if it is paid, or over already. */
  cancel(checkoutId: string): Promise<void>;
  standing(checkoutId: string): Promise<PaymentStanding>;
}

export interface SavedMethods {
  /**
   * Charges one at once. Resolves to an id that `standing` knows, also if the payer's bank declines. The same request
   * again, however much later, charges nothing new and returns the same id; another one with its reference is refused.
   */
  charge(wanted: WantedCharge): Promise<Pick<Checkout, "id">>;
  /** What an earlier `charge` with this reference made, even if its answer was lost; null if it made nothing. */
  find(wanted: WantedCharge): Promise<Pick<Checkout, "id"> | null>;
}

export interface OpenPaymentOptions {
  /** Called for each verified report. A rejection is answered with an error, so that the provider reports again. */
  onReport(report: PaymentReport): Promise<void>;
  /** Where a provider without an account of its own keeps what it knows; null forgets it at the end. */
  dataDir: string | null;
  /** Tests only: a server that answers in place of the provider's. */
  standIn?: URL;
}

/** What a payment provider's folder exports as `payment` from its server.ts. */
export interface PaymentModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each payment. */
  id: string;
  /** As people know it: "Sandbox payments". */
  name: string;
  /** Of the installation, by the names of its environment variables. */
  settings: Settings;
  /** Null if the settings don't turn it on. */
  open(settings: z.output<Settings>, options: OpenPaymentOptions): PaymentProvider | null;
}
