/**
 * A request may name the organisation that it means. Where the person acts inside another meanwhile, it is refused: a
 * form must not be saved where its person does not see it.
 */
export const organisationHeader = "leadline-organisation";
