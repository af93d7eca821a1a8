import { type PointerEvent, useRef } from "react";

const closesFromPx = 80;

/** Lets the pointer pull a sheet down by its handle; released far enough down, it closes. */
export function usePullDown(close: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const fromPx = useRef<number | null>(null);

  function pull(px: number): void {
    if (sheet.current) sheet.current.style.translate = px === 0 ? "" : `0 ${px}px`;
  }
  const pulledPx = ({ clientY }: PointerEvent) => (fromPx.current === null ? 0 : Math.max(0, clientY - fromPx.current));

  return {
    sheet,
    handle: {
      onPointerDown(event: PointerEvent) {
        fromPx.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => pull(pulledPx(event)),
      onPointerUp(event: PointerEvent) {
        const isFarEnough = pulledPx(event) >= closesFromPx;
        fromPx.current = null;
        if (isFarEnough) close();
        else pull(0);
      },
      onPointerCancel() {
        fromPx.current = null;
        pull(0);
      },
    },
  };
}
