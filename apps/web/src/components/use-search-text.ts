import { useEffect, useState } from "react";

/** The text of a search box, reported when typing pauses. */
export function useSearchText(search: string, onSearch: (search: string) => void, pauseMs = 200) {
  const [text, setText] = useState(search);
  const [handedOn, setHandedOn] = useState(search);
  const [lastSearch, setLastSearch] = useState(search);
  if (search !== lastSearch) {
    setLastSearch(search);
    // Changed elsewhere, by Back or by clearing the filter; our own change arrives here too, some renders later.
    if (search !== handedOn) {
      setHandedOn(search);
      setText(search);
    }
  }
  useEffect(() => {
    if (text === handedOn) return;
    const timer = setTimeout(() => {
      setHandedOn(text);
      onSearch(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return [text, setText] as const;
}
