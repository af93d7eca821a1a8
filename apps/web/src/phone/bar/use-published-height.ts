import { type RefObject, useLayoutEffect, useRef } from "react";

/** Publishes the height of the bar (--foot-height), so that toasts don't cover it. */
export function useToldHeight(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const bar = element.current;
    if (!bar) return;
    const { style } = document.documentElement;
    const tell = () => style.setProperty("--foot-height", `${bar.offsetHeight}px`);
    const observer = new ResizeObserver(tell);
    observer.observe(bar);
    tell();
    return () => {
      observer.disconnect();
      style.removeProperty("--foot-height");
    };
  }, []);
  return element;
}
