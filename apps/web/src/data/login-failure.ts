const failureKey = "leadline.login-failure";

/** Why a hosted login failed, for the page that it returns to. */
export const loginFailure = {
  read: (): string | null => sessionStorage.getItem(failureKey),
  keep: (why: string): void => sessionStorage.setItem(failureKey, why),
  forget: (): void => sessionStorage.removeItem(failureKey),
};
