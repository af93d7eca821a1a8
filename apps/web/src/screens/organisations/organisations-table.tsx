import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { CopyableId } from "../../components/copyable-id.tsx";
import { textLinkLook } from "../../components/auth-card.tsx";
import { meQuery } from "../../data/me-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { OrganisationActions } from "./organisation-actions.tsx";
import { websiteLink } from "./website-link.ts";

export function OrganisationsTable({ organisations }: { organisations: readonly Organisation[] }) {
  const activeId = useQuery(meQuery).data?.activeOrganisation?.id;
  return (
    <Table label="Your organisations">
      <Head />
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

export function OrganisationsSkeleton() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading your organisations</output>
      <Table label="Your organisations, loading">
        <Head />
        <TableBody>
          {["w-28", "w-40", "w-32"].map((width) => (
            <TableRow key={width}>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-16" />
              </TableCell>
              <TableCell>
                <Skeleton className={width} />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-56" />
              </TableCell>
              <TableCell className="max-md:hidden">
                <Skeleton className="w-28" />
              </TableCell>
              <TableCell align="right">
                <Skeleton className="ml-auto h-8 w-8" />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function Head() {
  return (
    <TableHead>
      <TableRow>
        <TableHeadCell className="max-md:hidden">ID</TableHeadCell>
        <TableHeadCell>Name</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Description</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Website</TableHeadCell>
        <TableHeadCell align="right">Actions</TableHeadCell>
      </TableRow>
    </TableHead>
  );
}

function Website({ address }: { address: string | null }) {
  const link = address ? websiteLink(address) : null;
  if (!link) return <span className="text-ink-soft">{address}</span>;
  return (
    <a href={link.href} target="_blank" rel="noreferrer" className={textLinkLook}>
      {link.label}
    </a>
  );
}
