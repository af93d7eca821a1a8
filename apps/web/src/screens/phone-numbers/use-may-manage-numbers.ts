import { buyPhoneNumber } from "@leadline/contract/phone-numbers";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";

/** Buying, labelling and releasing. */
export const useMayManageNumbers = (): boolean => may(useOwnRole(), buyPhoneNumber);
