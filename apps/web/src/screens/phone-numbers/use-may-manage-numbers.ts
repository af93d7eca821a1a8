import { isAdmin, useOwnRole } from "../../components/use-own-role.ts";

/** Buying, labelling and releasing are for admins and owners; the server sees to it too. */
export const useMayManageNumbers = (): boolean => isAdmin(useOwnRole());
