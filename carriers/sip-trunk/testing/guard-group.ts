import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Kills the rest of a program's process group as soon as the program or this process has ended, in whatever way: a
 * killed Kamailio leaves its children behind, and a killed test run everything that it had started. The program must
 * have been spawned `detached`, as the leader of its own group. Resolves once none of them is left.
 */
export async function guardGroup(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined) return;
  const script = 'read -r _; kill -s KILL -- "-$0" 2>/dev/null';
  // Its stdin closes with this process at the latest. Ctrl+C at a terminal doesn't reach it.
  const guard = spawn("/bin/sh", ["-c", script, `${leader.pid}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  const killed = once(guard, "exit");
  await once(leader, "exit");
  guard.ref();
  guard.stdin.end();
  await killed;
}
