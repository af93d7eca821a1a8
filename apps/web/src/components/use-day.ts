import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../data/me-query.ts";
import { dayIn } from "./format-time.ts";
import { useNow } from "./use-now.ts";

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whose calendar days are meant: those of the organisation one acts in. */
export const useTimeZone = (): string => useQuery(meQuery).data?.activeOrganisation?.timeZone ?? ownTimeZone;

/** Today's calendar day, also on a page left open overnight. */
export const useToday = (): string => dayIn(useTimeZone(), useNow());
