interface UnsavedForm {
  /** Of the person and not of an organisation, whose change leaves it as it is. */
  personal: boolean;
  /** Asks the person, and answers whether they go on without it. */
  ask: () => Promise<boolean>;
}

/** Those on the page that hold what is not saved; each takes itself off when it is saved or gone. */
const forms = new Set<UnsavedForm>();

export const unsavedForms = {
  add(form: UnsavedForm): () => void {
    forms.add(form);
    return () => void forms.delete(form);
  },
  /** One of them asks for all: the same question from each would only be pressed away. */
  isAsking: (form: UnsavedForm): boolean => forms.values().next().value === form,
  /** About the person themselves, or else about the organisation that they act in. */
  hasAny: (which: { personal: boolean }): boolean => [...forms].some(({ personal }) => personal === which.personal),
  /** Before another organisation takes the place of the one that they are about. */
  async maySwitch(): Promise<boolean> {
    const ofOrganisation = [...forms].find(({ personal }) => !personal);
    return ofOrganisation === undefined || ofOrganisation.ask();
  },
};
