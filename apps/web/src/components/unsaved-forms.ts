interface UnsavedForm {
  /** About the user and not an organisation: switching leaves it as it is. */
  personal: boolean;
  /** Asks the user, and resolves to whether they continue without saving. */
  ask: () => Promise<boolean>;
}

/** The forms on the page with unsaved changes; each removes itself when it is saved or gone. */
const forms = new Set<UnsavedForm>();

export const unsavedForms = {
  add(form: UnsavedForm): () => void {
    forms.add(form);
    return () => void forms.delete(form);
  },
  /** One of them asks for all: repeating the question would only be clicked away. */
  isAsking: (form: UnsavedForm): boolean => forms.values().next().value === form,
  /** About the user, or about the active organisation. */
  hasAny: (which: { personal: boolean }): boolean => [...forms].some(({ personal }) => personal === which.personal),
  /** Before another organisation replaces theirs. */
  async maySwitch(): Promise<boolean> {
    const ofOrganisation = [...forms].find(({ personal }) => !personal);
    return ofOrganisation === undefined || ofOrganisation.ask();
  },
};
