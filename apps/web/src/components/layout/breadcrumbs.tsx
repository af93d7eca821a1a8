import { useQuery } from "@tanstack/react-query";
import { Link, useMatches, useParams } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { leadQuery } from "../../data/leads-query.ts";
import { leadName } from "../lead-name.ts";

export function Breadcrumbs({ className }: { className?: string }) {
  const crumbs = useMatches({ select: (matches) => matches.at(-1)?.staticData.crumbs }) ?? [];
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumb" className={className}>
      <ol className="flex min-w-0 items-center gap-1.5 text-table text-ink-soft">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.label}>
            {index > 0 ? (
              <li aria-hidden="true" className="shrink-0">
                <ChevronRight className="size-3.5" />
              </li>
            ) : null}
            <li
              className={clsx(
                "whitespace-nowrap",
                index === crumbs.length - 1 ? "min-w-0 font-medium text-ink" : "shrink-0",
              )}
            >
              {crumb.to ? (
                <Link
                  to={crumb.to}
                  activeOptions={{ exact: true }}
                  className="rounded-[4px] hover:text-ink hover:underline"
                >
                  {crumb.label}
                </Link>
              ) : (
                <span
                  aria-current={index === crumbs.length - 1 ? "page" : undefined}
                  className="block max-w-72 truncate"
                >
                  {crumb.isLead ? <LeadCrumb label={crumb.label} /> : crumb.label}
                </span>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

function LeadCrumb({ label }: { label: string }) {
  const { leadId = "" } = useParams({ strict: false });
  const lead = useQuery({ ...leadQuery(leadId), enabled: leadId !== "" }).data;
  return lead ? leadName(lead) : label;
}
