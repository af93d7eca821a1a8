import { Button } from "../ui/button.tsx";
import { MessageScreen } from "./message-screen.tsx";

/** A screen threw, or its code could not be fetched (a new version was put up, or the network is gone). */
export function BrokenScreen() {
  return (
    <main>
      <MessageScreen
        title="This page couldn’t be loaded"
        action={<Button onClick={() => location.reload()}>Reload the page</Button>}
      >
        Leadline may have been updated, or your connection was lost. Reload to get the latest version.
      </MessageScreen>
    </main>
  );
}
