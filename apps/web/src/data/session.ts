export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Of the hosted login, to log out of it too. */
  idToken?: string;
}

const accessTokenKey = "leadline.access-token";
const refreshTokenKey = "leadline.refresh-token";
const idTokenKey = "leadline.id-token";

/** The one place that knows where tokens are kept: local storage, which all tabs share. */
export function createSession(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
  return {
    accessToken: (): string | null => storage.getItem(accessTokenKey),
    refreshToken: (): string | null => storage.getItem(refreshTokenKey),
    idToken: (): string | null => storage.getItem(idTokenKey),
    /** Whose it is: the access token's subject. */
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

/** RFC 7519, section 4.1.2; null of what is no token. */
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

/** Runs `listener` when another tab signs in or out, or refreshes. */
export function onSessionChangedElsewhere(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === refreshTokenKey) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** Runs `listener` when another tab signs out. */
export const onSignedOutElsewhere = (listener: () => void): (() => void) =>
  onSessionChangedElsewhere(() => {
    if (!isSignedIn()) listener();
  });

const endedKey = "leadline.session-ended";

/** For the login to say why it is asked for; once. */
export const sessionEnded = {
  note: (): void => sessionStorage.setItem(endedKey, ""),
  isNoted: (): boolean => sessionStorage.getItem(endedKey) !== null,
  forget: (): void => sessionStorage.removeItem(endedKey),
};
