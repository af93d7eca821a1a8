import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMayManageNumbers } from "./use-may-manage-numbers.ts";

/** Says which numbers count instead, and where they are set. */
export function OtherCarrierNotice({ carrier }: { carrier: string }) {
  const seesCarriers = useMayManageNumbers();
  return (
    <Notice tone="brass" title={`Calls go through ${carrier} now`}>
      It neither shows nor rings the sandbox’s numbers, which are for trying out. Calls come in on the numbers that its
      provider gave you, and the caller ID is set in its settings
      {seesCarriers ? (
        <>
          , under{" "}
          <Link to="/settings/carriers" className={textLinkLook}>
            Carriers
          </Link>
          .
        </>
      ) : (
        ", by the owner of your organisation."
      )}
    </Notice>
  );
}
