const keys = {
  token: "leadline.invitation",
  email: "leadline.invitation-email",
  organisationName: "leadline.invitation-organisation",
} as const;

/** A pending invitation, kept in this tab until its recipient has registered and logged in. */
export const pendingInvitation = {
  token: (): string | null => sessionStorage.getItem(keys.token),
  /** The address that it was mailed to. */
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

/** Where to go after logging in. */
export const pathAfterLogin = (): "/invitation" | "/dashboard" =>
  pendingInvitation.token() === null ? "/dashboard" : "/invitation";
