const keys = {
  token: "leadline.invitation",
  email: "leadline.invitation-email",
  organisationName: "leadline.invitation-organisation",
} as const;

/** An invitation that waits, in this tab, until its receiver has registered and signed in. */
export const pendingInvitation = {
  token: (): string | null => sessionStorage.getItem(keys.token),
  /** Where it was mailed to. */
  email: (): string | null => sessionStorage.getItem(keys.email),
  organisationName: (): string | null => sessionStorage.getItem(keys.organisationName),
  keep(invitation: Record<keyof typeof keys, string>): void {
    sessionStorage.setItem(keys.token, invitation.token);
    sessionStorage.setItem(keys.email, invitation.email);
    sessionStorage.setItem(keys.organisationName, invitation.organisationName);
  },
  isPart: (storageKey: string): boolean => Object.values<string>(keys).includes(storageKey),
  forget(): void {
    for (const key of Object.values(keys)) sessionStorage.removeItem(key);
  },
};

/** Where somebody goes who has just signed in. */
export const pathAfterLogin = (): "/invitation" | "/dashboard" =>
  pendingInvitation.token() === null ? "/dashboard" : "/invitation";
