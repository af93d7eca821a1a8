import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createInOrder, createInOrderByKey } from "./in-order.ts";

/** Tasks that note when they start, and end when they are told to. */
function createTasks() {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const task = (name: string) => () => {
    started.push(name);
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return end.promise;
  };
  return { started, task, end: (name: string) => ends.get(name)?.resolve(name) };
}

test("runs tasks one at a time, each after the one before it has ended", async () => {
  const { started, task, end } = createTasks();
  const inOrder = createInOrder();
  const first = inOrder(task("first"));
  const second = inOrder(task("second"));
  await setImmediate();
  expect(started).toEqual(["first"]);
  end("first");
  expect(await first).toBe("first");
  await setImmediate();
  expect(started).toEqual(["first", "second"]);
  end("second");
  expect(await second).toBe("second");
});

test("runs the next task after one that fails, whose failure reaches its caller only", async () => {
  const inOrder = createInOrder();
  const failing = inOrder(() => Promise.reject(new Error("refused")));
  const next = inOrder(() => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("refused");
  expect(await next).toBe("done");
});

test("runs one task of a key at a time, and those of other keys meanwhile", async () => {
  const { started, task, end } = createTasks();
  const inOrder = createInOrderByKey();
  const first = inOrder.run("ann", task("ann’s first"));
  const second = inOrder.run("ann", task("ann’s second"));
  void inOrder.run("bob", task("bob’s"));
  await setImmediate();
  expect(started).toEqual(["ann’s first", "bob’s"]);
  end("ann’s first");
  await first;
  // While a task waits, a later one queues behind it.
  void inOrder.run("ann", task("ann’s third"));
  await setImmediate();
  expect(started.slice(2)).toEqual(["ann’s second"]);
  end("ann’s second");
  await second;
  await setImmediate();
  expect(started.slice(3)).toEqual(["ann’s third"]);
});

test("runs a key’s next task after one that fails", async () => {
  const inOrder = createInOrderByKey();
  const failing = inOrder.run("ann", () => Promise.reject(new Error("refused")));
  const next = inOrder.run("ann", () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("refused");
  expect(await next).toBe("done");
  expect(await inOrder.run("ann", () => Promise.resolve("later"))).toBe("later");
});

test("waits for the tasks of all keys, even failed ones, and then has forgotten the keys", async () => {
  const { task, end } = createTasks();
  const inOrder = createInOrderByKey();
  inOrder.run("ann", () => Promise.reject(new Error("refused"))).catch(() => {});
  void inOrder.run("bob", task("bob’s"));
  let finished = false;
  const finishing = inOrder.finished().then(() => (finished = true));
  await setImmediate();
  expect(finished).toBe(false);
  expect([inOrder.has("ann"), inOrder.has("bob")]).toEqual([false, true]);
  end("bob’s");
  await finishing;
  expect(inOrder.has("bob")).toBe(false);
});
