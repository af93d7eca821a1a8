import { constants, setPriority } from "node:os";

/**
 * Puts the calling thread, which keeps the clock of people's sound, before work that can wait. Only Linux has priorities of
 * single threads, and only root or CAP_SYS_NICE may raise them; elsewhere all stays as it is.
 */
export function raiseThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Not allowed, which is the usual case.
  }
}
