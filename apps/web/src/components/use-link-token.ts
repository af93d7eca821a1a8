import { useEffect, useState } from "react";

/** What a mailed link carries behind its #. A newer link opened in the same tab changes the hash and loads no page. */
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
