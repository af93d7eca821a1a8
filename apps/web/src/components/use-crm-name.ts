import { useQuery } from "@tanstack/react-query";
import { crmServicesQuery } from "../data/integrations-query.ts";

/** The CRM's name by its id. Until it is known, and without an id: "the CRM". */
export function useCrmName(service: string | null | undefined): string {
  const { data } = useQuery({ ...crmServicesQuery, enabled: Boolean(service) });
  return data?.find((one) => one.service === service)?.name ?? "the CRM";
}
