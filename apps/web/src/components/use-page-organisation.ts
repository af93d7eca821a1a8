import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { meQuery } from "../data/me-query.ts";

/** From the layout; undefined if a part is rendered without it. */
export const PageOrganisation = createContext<Organisation | null | undefined>(undefined);

/**
 * The organisation that the page is about, null without one. After a switch in another tab, with unsaved changes here,
 * it isn't the active one.
 */
export function usePageOrganisation(): Organisation | null {
  const ofPage = useContext(PageOrganisation);
  const active = useQuery(meQuery).data?.activeOrganisation ?? null;
  return ofPage === undefined ? active : ofPage;
}
