/** The role that requests run as: no login, no superuser, owner of nothing, bound by row-level security. */
export const appRole = "leadline_app";
