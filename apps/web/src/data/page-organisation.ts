let organisationId: string | null = null;

/** The organisation that this page shows and sends with its requests: the user may have switched in another tab. */
export const pageOrganisation = {
  organisationId: (): string | null => organisationId,
  set(id: string | null): void {
    organisationId = id;
  },
};
