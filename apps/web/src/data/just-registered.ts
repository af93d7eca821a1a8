let email: string | null = null;

/** Who has registered on this page: the login that follows need not ask for the address again. */
export const justRegistered = {
  email: (): string | null => email,
  keep(registered: string): void {
    email = registered;
  },
};
