import { Building2 } from "lucide-react";
import { EmptyState } from "../ui/empty-state.tsx";
import { OrganisationChoices } from "./organisation-choices.tsx";

/** Replaces a screen that belongs to an organisation; `title` is the screen's. */
export function NoOrganisation({ title }: { title: string }) {
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        picture={<Building2 className="size-6" aria-hidden="true" />}
        title="You need to be part of an organisation to use this feature."
        action={
          <div className="flex max-w-full flex-wrap justify-center gap-2 *:max-w-full">
            <OrganisationChoices />
          </div>
        }
      >
        Calls, leads and money belong to an organisation. All you need is a name, and you can make a test call right
        away.
      </EmptyState>
    </>
  );
}
