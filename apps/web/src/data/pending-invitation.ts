const tokenKey = "leadline.invitation";
const emailKey = "leadline.invitation-email";

/** An invitation that waits, in this tab, until its receiver has registered and signed in. */
export const pendingInvitation = {
  token: (): string | null => sessionStorage.getItem(tokenKey),
  /** Where it was mailed to. */
  email: (): string | null => sessionStorage.getItem(emailKey),
  keep(invitation: { token: string; email?: string }): void {
    sessionStorage.setItem(tokenKey, invitation.token);
    if (invitation.email !== undefined) sessionStorage.setItem(emailKey, invitation.email);
  },
  isPart: (storageKey: string): boolean => storageKey === tokenKey || storageKey === emailKey,
  forget(): void {
    sessionStorage.removeItem(tokenKey);
    sessionStorage.removeItem(emailKey);
  },
};

/** Where somebody goes who has just signed in. */
export const pathAfterLogin = (): "/invitation" | "/dashboard" =>
  pendingInvitation.token() === null ? "/dashboard" : "/invitation";
