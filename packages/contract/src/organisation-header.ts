/**
 * Names the organisation that a request is meant for. If the person has switched to another one meanwhile, the request
 * is refused, so that a form isn't saved in an organisation that isn't on screen.
 */
export const organisationHeader = "leadline-organisation";
