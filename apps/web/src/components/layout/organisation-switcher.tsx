import { LaterMenu } from "../../ui/later-menu.tsx";
import { laterPart } from "../../ui/later-part.tsx";
import { OrganisationButton } from "./organisation-button.tsx";

const Items = laterPart(() => import("./organisation-items.tsx"), "OrganisationItems");

export const OrganisationSwitcher = () => <LaterMenu menu={Items} trigger={<OrganisationButton />} />;
