import { AsyncLocalStorage } from "node:async_hooks";

/** What Leadline changes on its own: by jobs and syncs, and when carriers, CRMs or payment providers report something. */
export const leadlineActions = [
  "automatic-top-up.canceled",
  "automatic-top-up.refused",
  "automatic-top-up.started",
  "carrier-account.connected",
  "carrier-account.disconnected",
  "integration.access-ended",
  "leads.numbers-reread",
  "leads.reassigned",
  "leads.synced",
  "member.invitation-expired",
  "phone-number.bought",
  "phone-number.compared",
  "phone-number.kept",
  "phone-number.refused",
  "phone-number.released",
  "phone-number.renewed",
  "phone-number.unpaid",
  "rate.read",
  "top-up.refused",
  "top-up.settled",
  "voicemail.expired",
  "voicemail.replaced",
] as const;
export type LeadlineAction = (typeof leadlineActions)[number];

/** Who makes a request's changes, and from where. */
export interface AuditContext {
  /** The endpoint's audit name, such as lead.updated. */
  action: string;
  /** Leadline itself makes the changes. */
  byLeadline?: true;
  /** Null: nobody is signed in. */
  userId: string | null;
  /** The active organisation. */
  organisationId: string | null;
  address: string;
  userAgent: string;
  requestId: string;
}

const storage = new AsyncLocalStorage<{ context: AuditContext | null }>();

/**
 * Attributes every transaction that `work` starts before it settles to this request in the audit log. Work that
 * continues after that, such as following a call, isn't attributed.
 */
export async function auditing<T>(context: AuditContext, work: () => Promise<T>): Promise<T> {
  const store: { context: AuditContext | null } = { context };
  try {
    return await storage.run(store, work);
  } finally {
    store.context = null;
  }
}

export const leadlineContext = (action: LeadlineAction): AuditContext => ({
  action,
  byLeadline: true,
  userId: null,
  organisationId: null,
  address: "",
  userAgent: "",
  requestId: "",
});

export const currentAudit = (): AuditContext | null => storage.getStore()?.context ?? null;
