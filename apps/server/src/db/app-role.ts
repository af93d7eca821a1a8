/**
 * The role that requests run as: it can't log in, isn't a superuser, owns nothing, and is bound by row-level security.
 */
export const appRole = "leadline_app";
/**
 * Owns the only search function. Row-level security applies its policy before a LIKE, so a text index can't be used;
 * this role reads the searched tables, restricts them to the organisation itself, and can't log in.
 */
export const searchRole = "leadline_search";
