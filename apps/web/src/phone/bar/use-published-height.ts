import { type RefObject, useLayoutEffect, useRef } from "react";

/** Publishes the height of the bar (--foot-height), so that toasts don't cover it. */
export function usePublishedHeight(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const bar = element.current;
    if (!bar) return;
    const { style } = document.documentElement;
    const publish = () => style.setProperty("--foot-height", `${bar.offsetHeight}px`);
    const observer = new ResizeObserver(publish);
    observer.observe(bar);
    publish();
    return () => {
      observer.disconnect();
      style.removeProperty("--foot-height");
    };
  }, []);
  return element;
}
