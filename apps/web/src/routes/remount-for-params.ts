/**
 * For the router: another lead's page starts anew, with nothing typed or opened on the one before. By itself the router
 * gives both the same component, and what was typed about one would be saved with the other.
 */
export const remountForParams = ({ params }: { params: unknown }): unknown => params;
