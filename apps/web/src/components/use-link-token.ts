import { useEffect, useState } from "react";

/**
 * The token after the # of a mailed link. A newer link opened in the same tab changes the hash without loading the
 * page.
 */
export function useLinkToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const take = (): void => {
      if (location.hash !== "") setToken(location.hash.slice(1));
    };
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return token;
}
