import { useQuery } from "@tanstack/react-query";
import { Building2, ChevronsUpDown } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";

/** The active organisation. */
export function OrganisationButton(props: ButtonProps) {
  const active = useQuery(meQuery).data?.activeOrganisation;
  return (
    <Button tone="quiet" className="min-w-0 shrink px-2.5" {...props}>
      <Building2 className="text-ink-soft" aria-hidden="true" />
      <span className="sr-only">Organisation: </span>
      <span className="max-w-44 truncate">{active?.name ?? "No organisation"}</span>
      <ChevronsUpDown className="text-ink-soft" aria-hidden="true" />
    </Button>
  );
}
