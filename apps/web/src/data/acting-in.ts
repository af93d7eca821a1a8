let organisationId: string | null = null;

/** The organisation that this page shows, and means with what it sends: in another tab the person may have switched. */
export const actingIn = {
  organisationId: (): string | null => organisationId,
  set(id: string | null): void {
    organisationId = id;
  },
};
