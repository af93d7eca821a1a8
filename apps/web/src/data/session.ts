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
export type Session = ReturnType<typeof createSession>;

export const session = createSession(globalThis.localStorage);

export const isSignedIn = (): boolean => session.refreshToken() !== null || session.accessToken() !== null;

/** Runs `listener` when another tab signs out. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if ((event.key === null || event.key === refreshTokenKey) && !isSignedIn()) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
