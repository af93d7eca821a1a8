import { Button } from "../ui/button.tsx";
import { MessageScreen } from "./message-screen.tsx";

/** A screen threw, or its code could not be fetched (a new version was put up, or the network is gone). */
export function BrokenScreen() {
  return (
    <main>
      <MessageScreen
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Reload the page</Button>}
      >
        Leadline may have been updated while the page was open, or the connection is gone. Reloading brings the newest
        version.
      </MessageScreen>
    </main>
  );
}
