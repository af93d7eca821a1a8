import { OfflineNotice } from "./offline-notice.tsx";
import { RenewalBanner } from "./renewal-banner.tsx";

/** What every page may have to say above its content. */
export function PageNotices() {
  return (
    <>
      <OfflineNotice />
      <RenewalBanner />
    </>
  );
}
