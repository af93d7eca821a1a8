import type { Session, Tokens } from "./session.ts";
import { ProblemError } from "./problem-error.ts";

/** `no-session`: there is no refresh token; `signed-out`: the server refused it. Either way no token is left. */
export type RefreshOutcome = "refreshed" | "no-session" | "signed-out";

interface RefreshAccessOptions {
  session: Session;
  /** Missing on plain-http origins; then tabs only coordinate by re-reading the storage. */
  locks: Pick<LockManager, "request"> | undefined;
  /** Sends the single refresh request. Throws a ProblemError. */
  exchange: (refreshToken: string) => Promise<Tokens>;
}

const lockWaitMs = 12_000;

/**
 * Refreshes once for any number of callers, in this tab and in others. Only a 401 clears the tokens; a lost connection
 * or a failing server throws and keeps them.
 */
export function createAccessRefresh({ session, locks, exchange }: RefreshAccessOptions) {
  let inFlight: Promise<RefreshOutcome> | null = null;

  async function refreshUnlessDone(refusedAccessToken: string | null): Promise<RefreshOutcome> {
    const refreshToken = session.refreshToken();
    if (refreshToken === null) {
      // A refused access token is worthless without a refresh token.
      session.clear();
      return "no-session";
    }
    // Another tab may have refreshed while this one waited for the lock, or before its 401 arrived.
    if (session.accessToken() !== null && session.accessToken() !== refusedAccessToken) return "refreshed";
    try {
      session.store(await exchange(refreshToken));
      return "refreshed";
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 401) throw error;
      const current = session.refreshToken();
      if (current !== null && current !== refreshToken) return "refreshed";
      session.clear();
      return "signed-out";
    }
  }

  async function underLock(refusedAccessToken: string | null): Promise<RefreshOutcome> {
    if (!locks) return refreshUnlessDone(refusedAccessToken);
    let entered = false;
    try {
      const signal = AbortSignal.timeout(lockWaitMs);
      return await locks.request("leadline.refresh", { signal }, () => {
        entered = true;
        return refreshUnlessDone(refusedAccessToken);
      });
    } catch (error) {
      // A tab that hangs with the lock must not block this one; the server tolerates one reuse of a token.
      if (entered) throw error;
      return refreshUnlessDone(refusedAccessToken);
    }
  }

  return (refusedAccessToken: string | null): Promise<RefreshOutcome> => {
    inFlight ??= underLock(refusedAccessToken).finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
}
