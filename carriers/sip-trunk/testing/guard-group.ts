import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Kills what is left of a program's process group as soon as the program itself has ended, or this process has, however
 * that came: a Kamailio that is killed leaves its children, and whatever a killed test run had started would stay. The
 * program must have been spawned `detached`, as the leader of a group of its own. Resolves once none of them is left to kill.
 */
export async function guardGroup(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined) return;
  const script = 'read -r _; kill -s KILL -- "-$0" 2>/dev/null';
  // Its input ends with this process at the latest. Ctrl+C at a terminal is not for it.
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
