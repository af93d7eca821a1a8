/**
 * For the router: remounts the page for another lead, without input from the previous one. By default the router reuses
 * the component, and text typed for one lead would be saved for the other.
 */
export const remountForParams = ({ params }: { params: unknown }): unknown => params;
