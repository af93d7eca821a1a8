import { expect, test, vi } from "vitest";
import { createHoldableListeners } from "./holdable-listeners.ts";

function listening() {
  const listeners = createHoldableListeners();
  const told = vi.fn<() => void>();
  listeners.subscribe(told);
  return { listeners, told };
}
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

test("changes during a hold-back are reported once, when it is released", () => {
  const { listeners, told } = listening();
  const hold = listeners.holdBack();
  listeners.notify();
  listeners.notify();
  expect(told).not.toHaveBeenCalled();
  hold.release();
  expect(told).toHaveBeenCalledOnce();
  hold.release();
  listeners.notify();
  expect(told).toHaveBeenCalledTimes(2);
});

test("changes so far are flushed in a task of their own, and later ones are held back again", async () => {
  const { listeners, told } = listening();
  const hold = listeners.holdBack();
  listeners.notify();
  hold.flush();
  expect(told).not.toHaveBeenCalled();
  await nextTask();
  expect(told).toHaveBeenCalledOnce();
  listeners.notify();
  hold.release();
  expect(told).toHaveBeenCalledTimes(2);
});

test("with two hold-backs, the last release flushes; a release without changes reports nothing", () => {
  const { listeners, told } = listening();
  const [one, other] = [listeners.holdBack(), listeners.holdBack()];
  listeners.notify();
  one.release();
  expect(told).not.toHaveBeenCalled();
  other.release();
  expect(told).toHaveBeenCalledOnce();
  listeners.holdBack().release();
  expect(told).toHaveBeenCalledOnce();
});

test("nothing is held back long enough for a person to notice", () => {
  vi.useFakeTimers();
  const { listeners, told } = listening();
  listeners.holdBack();
  listeners.notify();
  vi.advanceTimersByTime(300);
  expect(told).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
