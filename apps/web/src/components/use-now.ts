import { useEffect, useState } from "react";

/** The time, a minute exact: for words like Today that a page left open overnight must not keep. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
