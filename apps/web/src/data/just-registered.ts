let email: string | null = null;

/** The user who registered on this page: the following login needn't ask for the email address again. */
export const justRegistered = {
  email: (): string | null => email,
  keep(registered: string): void {
    email = registered;
  },
};
