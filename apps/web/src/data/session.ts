export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** From the hosted login, to log out of it too. */
  idToken?: string;
}

const accessTokenKey = "leadline.access-token";
const refreshTokenKey = "leadline.refresh-token";
const idTokenKey = "leadline.id-token";

/** The only place that knows where tokens are stored: local storage, which all tabs share. */
export function createSession(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
  return {
    accessToken: (): string | null => storage.getItem(accessTokenKey),
    refreshToken: (): string | null => storage.getItem(refreshTokenKey),
    idToken: (): string | null => storage.getItem(idTokenKey),
    /** The access token's subject. */
    userId: (): string | null => subjectOf(storage.getItem(accessTokenKey)),
    store(tokens: Tokens): void {
      storage.setItem(accessTokenKey, tokens.accessToken);
      storage.setItem(refreshTokenKey, tokens.refreshToken);
      if (tokens.idToken !== undefined) storage.setItem(idTokenKey, tokens.idToken);
    },
    clear(): void {
      storage.removeItem(accessTokenKey);
      storage.removeItem(refreshTokenKey);
      storage.removeItem(idTokenKey);
    },
  };
}

/** RFC 7519, section 4.1.2; null if it isn't a token. */
function subjectOf(token: string | null): string | null {
  try {
    const claims = (token ?? "").split(".")[1] ?? "";
    const { sub }: { sub?: unknown } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}

export type Session = ReturnType<typeof createSession>;

export const session = createSession(globalThis.localStorage);

export const isSignedIn = (): boolean => session.refreshToken() !== null || session.accessToken() !== null;

/** Runs `listener` when another tab logs in or out, or refreshes. */
export function onSessionChangedElsewhere(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === refreshTokenKey) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** Runs `listener` when another tab logs out. */
export const onSignedOutElsewhere = (listener: () => void): (() => void) =>
  onSessionChangedElsewhere(() => {
    if (!isSignedIn()) listener();
  });

const endedKey = "leadline.session-ended";

/** For the login page, to say once why it is shown. */
export const sessionEnded = {
  note: (): void => sessionStorage.setItem(endedKey, ""),
  isNoted: (): boolean => sessionStorage.getItem(endedKey) !== null,
  forget: (): void => sessionStorage.removeItem(endedKey),
};
