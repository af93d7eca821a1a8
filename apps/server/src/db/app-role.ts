/** The role that requests run as: no login, no superuser, owner of nothing, bound by row-level security. */
export const appRole = "leadline_app";
/**
 * Owns the one function that searches. Under row-level security a LIKE may look at a row only after the policy has, so no
 * index on text would serve it; this role reads what is searched, names the organisation itself, and cannot sign in.
 */
export const searchRole = "leadline_search";
