import { AsyncLocalStorage } from "node:async_hooks";

/** Who makes a request's changes, and from where. */
export interface AuditContext {
  /** The endpoint's audit name, such as lead.updated. */
  action: string;
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

export const currentAudit = (): AuditContext | null => storage.getStore()?.context ?? null;
