import { constants, setPriority } from "node:os";

/**
 * Gives the calling thread, which paces audio, priority over work that can wait. Only Linux has per-thread priorities,
 * and only root or CAP_SYS_NICE may raise them; otherwise nothing changes.
 */
export function raiseThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Not permitted, which is the usual case.
  }
}
