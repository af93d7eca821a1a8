import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { CopyableId } from "../../components/copyable-id.tsx";
import { textLinkLook } from "../../components/auth-card.tsx";
import { meQuery } from "../../data/me-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";
import { OrganisationActions } from "./organisation-actions.tsx";
import { websiteLink } from "./website-link.ts";

const columns: TableColumns = {
  columns: [
    { head: "ID", width: "w-16", className: "max-md:hidden" },
    { head: "Name", width: ["w-28", "w-40", "w-32"] },
    { head: "Description", width: "w-56", className: "max-md:hidden" },
    { head: "Website", width: "w-28", className: "max-md:hidden" },
  ],
  actions: { width: "w-8" },
};

export function OrganisationsTable({ organisations }: { organisations: readonly Organisation[] }) {
  const activeId = useQuery(meQuery).data?.activeOrganisation?.id;
  return (
    <Table label="Your organisations">
      <ColumnHeads {...columns} />
      <TableBody>
        {organisations.map((organisation) => (
          <TableRow key={organisation.id}>
            <TableCell className="max-md:hidden">
              <CopyableId id={organisation.id} />
            </TableCell>
            <TableCell className="font-medium max-md:w-full max-md:max-w-0 max-md:py-2">
              <span className="flex items-center gap-2">
                <span className="min-w-0 truncate md:max-w-80" title={organisation.name}>
                  {organisation.name}
                </span>
                {organisation.id === activeId ? <Badge tone="brass">Active</Badge> : null}
              </span>
              <span className="block truncate text-xs font-normal text-ink-soft md:hidden">
                {organisation.description ?? organisation.website}
              </span>
            </TableCell>
            <TableCell className="max-w-[320px] truncate text-ink-soft max-md:hidden">
              {organisation.description}
            </TableCell>
            <TableCell className="max-md:hidden">
              <Website address={organisation.website} />
            </TableCell>
            <TableCell align="right">
              <OrganisationActions organisation={organisation} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

export const OrganisationsSkeleton = () => <TableSkeleton label="Loading your organisations" rows={3} {...columns} />;

function Website({ address }: { address: string | null }) {
  const link = address ? websiteLink(address) : null;
  if (!link) return <span className="text-ink-soft">{address}</span>;
  return (
    <a href={link.href} target="_blank" rel="noreferrer" className={textLinkLook}>
      {link.label}
    </a>
  );
}
