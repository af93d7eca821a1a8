import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { meQuery } from "../data/me-query.ts";

/** From the layout; undefined where a part is shown without it. */
export const PageOrganisation = createContext<Organisation | null | undefined>(undefined);

/**
 * The organisation that the page is about, null without one. Where the person has switched in another tab and something
 * half entered waits for their word, it is not the one that they act in.
 */
export function usePageOrganisation(): Organisation | null {
  const ofPage = useContext(PageOrganisation);
  const active = useQuery(meQuery).data?.activeOrganisation ?? null;
  return ofPage === undefined ? active : ofPage;
}
