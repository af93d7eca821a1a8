import { expect, test, vi } from "vitest";
import { createHoldableListeners } from "./holdable-listeners.ts";

function listening() {
  const listeners = createHoldableListeners();
  const told = vi.fn<() => void>();
  listeners.subscribe(told);
  return { listeners, told };
}
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

test("what changes while the telling is held back is told once, when it is released", () => {
  const { listeners, told } = listening();
  const hold = listeners.holdBack();
  listeners.tell();
  listeners.tell();
  expect(told).not.toHaveBeenCalled();
  hold.release();
  expect(told).toHaveBeenCalledOnce();
  hold.release();
  listeners.tell();
  expect(told).toHaveBeenCalledTimes(2);
});

test("what has changed so far is let through in a task of its own, and what follows is held back again", async () => {
  const { listeners, told } = listening();
  const hold = listeners.holdBack();
  listeners.tell();
  hold.tellOnce();
  expect(told).not.toHaveBeenCalled();
  await nextTask();
  expect(told).toHaveBeenCalledOnce();
  listeners.tell();
  hold.release();
  expect(told).toHaveBeenCalledTimes(2);
});

test("of two who hold it back, the last to release it lets it through; a release with nothing to tell tells nothing", () => {
  const { listeners, told } = listening();
  const [one, other] = [listeners.holdBack(), listeners.holdBack()];
  listeners.tell();
  one.release();
  expect(told).not.toHaveBeenCalled();
  other.release();
  expect(told).toHaveBeenCalledOnce();
  listeners.holdBack().release();
  expect(told).toHaveBeenCalledOnce();
});

test("nothing is held back for so long that a person would wait for it", () => {
  vi.useFakeTimers();
  const { listeners, told } = listening();
  listeners.holdBack();
  listeners.tell();
  vi.advanceTimersByTime(300);
  expect(told).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
