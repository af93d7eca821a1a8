const keyOf = (organisationId: string): string => `leadline.first-steps.${organisationId}`;

/** The steps that were done when they were last looked at here, until whoever looked logs out (forget-person.ts). */
export const stepsSeen = {
  keep(organisationId: string, done: readonly string[]): void {
    localStorage.setItem(keyOf(organisationId), done.join("|"));
  },
  /** undefined where this organisation's were never looked at here. */
  wasDone(organisationId: string, title: string): boolean | undefined {
    return localStorage.getItem(keyOf(organisationId))?.split("|").includes(title);
  },
};
