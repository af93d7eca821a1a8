import { AsyncLocalStorage } from "node:async_hooks";

/** Who makes the changes of a request, and from where. */
export interface AuditContext {
  /** The endpoint's audit name, such as lead.updated. */
  action: string;
  /** Null: nobody is logged in. */
  userId: string | null;
  /** The organisation they act in. */
  organisationId: string | null;
  address: string;
  userAgent: string;
  requestId: string;
}

const storage = new AsyncLocalStorage<{ context: AuditContext | null }>();

/**
 * Every transaction that `work` begins before it settles records its changes in the audit log as this request's. Later
 * work that it left running, such as following a call, records none.
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
