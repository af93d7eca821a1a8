import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMayManageNumbers } from "./use-may-manage-numbers.ts";

/** Says which numbers are used instead, and where to change that. */
export function OtherCarrierNotice({ carrier }: { carrier: string }) {
  const seesCarriers = useMayManageNumbers();
  return (
    <Notice tone="brass" title={`Calls go through ${carrier} now`}>
      It doesn’t use sandbox numbers. You receive calls on your provider’s numbers, and the caller ID is set in the
      carrier’s settings
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
