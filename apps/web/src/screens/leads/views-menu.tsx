import type { LeadView } from "@leadline/contract/lead-views";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check, Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { type LeadFilter, leadFilterQuery } from "../../data/leads-query.ts";
import { leadViewsQuery } from "../../data/lead-views-query.ts";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";
import type { LeadColumnKey } from "./lead-columns.tsx";
import { ManageViewsDialog } from "./manage-views-dialog.tsx";
import { SaveViewDialog } from "./save-view-dialog.tsx";

interface ViewsMenuProps {
  filter: LeadFilter;
  columns: readonly LeadColumnKey[];
  onOpen: (view: LeadView) => void;
}

/** Saved filters, sorts and columns: the user's own, and shared ones. */
export function ViewsMenu({ filter, columns, onOpen }: ViewsMenuProps) {
  const views = useQuery(leadViewsQuery);
  const readsOnly = useReadsOnly();
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null);
  const all = views.data ?? [];
  const groups = [
    { title: "Your views", views: all.filter(({ own }) => own) },
    { title: "Shared with you", views: all.filter(({ own }) => !own) },
  ].filter((group) => group.views.length > 0);
  const shown = all.find((view) => isSame(view, filter));
  return (
    <>
      <Menu
        trigger={
          <Button tone="plain" className="max-md:px-2.5">
            <Bookmark aria-hidden="true" />
            <span className="max-w-40 truncate max-md:sr-only">{shown?.name ?? "Views"}</span>
          </Button>
        }
      >
        {views.isError && !views.data ? <MenuLabel>Your views couldn’t be loaded</MenuLabel> : null}
        {groups.map(({ title, views: ofGroup }) => (
          <div key={title} role="group" aria-label={title}>
            <MenuLabel>{title}</MenuLabel>
            {ofGroup.map((view) => (
              <MenuItem key={view.id} onSelect={() => onOpen(view)}>
                <span className="max-w-60 truncate">{view.name}</span>
                {view === shown ? (
                  <>
                    <span className="sr-only">(shown now)</span>
                    <Check className="ml-auto text-brass" aria-hidden="true" />
                  </>
                ) : null}
              </MenuItem>
            ))}
          </div>
        ))}
        {readsOnly ? (
          groups.length === 0 && <MenuLabel>No shared views</MenuLabel>
        ) : (
          <>
            {groups.length > 0 ? <MenuSeparator /> : null}
            <MenuItem onSelect={() => setDialog("save")}>
              <Plus aria-hidden="true" /> Save this view…
            </MenuItem>
            {groups.length > 0 ? (
              <MenuItem onSelect={() => setDialog("manage")}>
                <Settings2 aria-hidden="true" /> Manage views…
              </MenuItem>
            ) : null}
          </>
        )}
      </Menu>
      {dialog === "save" ? (
        <SaveViewDialog
          view={{ filter: leadFilterQuery(filter), columns: [...columns] }}
          known={shown}
          ownNames={all.filter(({ own }) => own).map(({ name }) => name)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === "manage" ? <ManageViewsDialog views={all} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

/** Compares filter and order only, since the columns may have changed. */
function isSame({ filter }: LeadView, shown: LeadFilter): boolean {
  const keyOf = (given: LeadFilter) => JSON.stringify(Object.entries(leadFilterQuery(given)).toSorted());
  return keyOf({ ...filter, search: filter.search ?? "" }) === keyOf(shown);
}
