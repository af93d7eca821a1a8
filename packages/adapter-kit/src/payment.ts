import type { z } from "zod";
import type { AdapterRoute } from "./adapter-route.ts";

export interface WantedCheckout {
  /**
   * A UUID of ours. Idempotent: the same request returns the same checkout. A different request with the same reference
   * is refused.
   */
  reference: string;
  /** Millionths of a US dollar, a whole number of cents. */
  amountMicros: number;
  /** Shown to the payer: "Leadline balance, Acme". */
  description: string;
  /** Where the browser goes afterwards, whatever the outcome. Contains the reference. */
  returnUrl: string;
  /** Whether to save the payment method for later charges. Only for a provider with `savedMethods`. */
  savesMethod: boolean;
}

/** A charge to a saved payment method, without the payer. */
export interface WantedCharge extends Pick<WantedCheckout, "reference" | "amountMicros" | "description"> {
  /** From the state of a paid checkout. */
  savedMethod: string;
}

export interface Checkout {
  /** The id to look up with `readPayment`. */
  id: string;
  /** The page to open in the browser. */
  url: string;
}

/** open: can still be paid. declined, expired: can no longer be paid. */
export type PaymentState = "open" | "paid" | "declined" | "expired";

/**
 * The current state of a payment according to the provider. Amounts are totals, so reports may arrive twice, late or in
 * any order.
 */
export interface CurrentPayment {
  state: PaymentState;
  /** Millionths of a US dollar; 0 until it is paid. */
  paidMicros: number;
  refundedMicros: number;
  /** The amount that the payer's bank took back. Decreases if the dispute is won. */
  chargedBackMicros: number;
  /** "Visa ending in 4242", for a receipt; null if the provider doesn't say. */
  method: string | null;
  /**
   * For `savedMethods`: set once a checkout that saves its method is paid. Opaque, and useless without the provider's
   * key.
   */
  savedMethod: string | null;
}

/** Reports that something has changed. Call `readPayment` for what. */
export interface PaymentReport {
  /** The provider's event id, the same if the event is sent again. */
  eventId: string;
  reference: string;
}

/**
 * refused: retrying won't help. unreachable: it is unknown whether the request took effect; repeat it with the same
 * reference. The message is for a person and contains no secret.
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
  /** False for a sandbox and for an account in test mode. Screens and receipts say so. */
  movesMoney: boolean;
  /** The checkout page can still be opened after the payment, to refund or dispute it. */
  checkoutStays?: true;
  /** Served below `/api/adapters/<id>`: webhooks, whose handler verifies the signature over the raw bytes. */
  routes: readonly AdapterRoute[];
  startCheckout(wanted: WantedCheckout): Promise<Checkout>;
  /** Missing if the provider can't charge without the payer. */
  savedMethods?: SavedMethods;
  /** Makes the checkout unpayable. Does nothing if it is already paid or over. */
  cancel(checkoutId: string): Promise<void>;
  readPayment(checkoutId: string): Promise<CurrentPayment>;
}

export interface SavedMethods {
  /**
   * Charges a saved method. Resolves to an id for `readPayment`, even if the bank declines. Idempotent by reference,
   * however much later; a different request with the same reference is refused.
   */
  charge(wanted: WantedCharge): Promise<Pick<Checkout, "id">>;
  /**
   * Finds the result of an earlier `charge` with this reference, even if its response was lost. Null if nothing was
   * charged.
   */
  find(wanted: WantedCharge): Promise<Pick<Checkout, "id"> | null>;
}

export interface OpenPaymentOptions {
  /** Called for each verified report. If it rejects, the provider gets an error and reports again. */
  onReport(report: PaymentReport): Promise<void>;
  /** Where a provider without an account stores its data. Null: in memory only. */
  dataDir: string | null;
  /** Tests only: a server that replaces the provider's. */
  standIn?: URL;
}

/** What a payment provider's folder exports as `payment` from its server.ts. */
export interface PaymentModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each payment. */
  id: string;
  /** Display name: "Sandbox payments". */
  name: string;
  /** The installation's settings, by environment variable. */
  settings: Settings;
  /** Null if the settings don't enable it. */
  open(settings: z.output<Settings>, options: OpenPaymentOptions): PaymentProvider | null;
}
