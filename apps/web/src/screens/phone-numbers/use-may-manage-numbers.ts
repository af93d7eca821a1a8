import { buyPhoneNumber } from "@leadline/contract/phone-numbers";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";

/** Whether the user may buy, label and release numbers. */
export const useMayManageNumbers = (): boolean => may(useOwnRole(), buyPhoneNumber);
