import { useEffect } from "react";
import { LoadingScreen } from "../loading-screen.tsx";
import { finishHostedLogin } from "./finish-hosted-login.ts";

/** The page that the hosted login redirects to. */
export function OAuth2Screen() {
  useEffect(() => {
    finishing ??= finishHostedLogin(location.search).then((path) => location.replace(path));
  }, []);
  return <LoadingScreen />;
}

/** Once per page, because the response works once. */
let finishing: Promise<void> | null = null;
