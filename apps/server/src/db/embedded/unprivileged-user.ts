import { execFileSync, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { StartRefused } from "../../config.ts";

/** How to start a program so that Postgres, which refuses to run as root, accepts it. */
export interface RunAs {
  /** Null: as the current user. */
  owner: { uid: number; gid: number } | null;
  command(
    program: string,
    args: string[],
  ): { program: string; args: string[]; options: { uid?: number; gid?: number } };
}

const asOurselves: RunAs = { owner: null, command: (program, args) => ({ program, args, options: {} }) };

/**
 * Root runs Postgres as the user postgres (created if missing, otherwise nobody), even below folders that only root may
 * enter.
 */
export function chooseRunAs(paths: string[]): RunAs {
  if (process.getuid?.() !== 0) return asOurselves;
  const owner = findOrMakeUser();
  if (paths.every((path) => canReach(path, owner))) {
    return { owner, command: (program, args) => ({ program, args, options: owner }) };
  }
  if (spawnSync("setpriv", ["--version"]).error !== undefined) {
    throw new StartRefused(
      `The embedded database runs as another user than root, and that user cannot enter ${paths.join(" or ")}. ` +
        "Open those folders (chmod a+x), move Leadline elsewhere, install setpriv (util-linux), or start it as an ordinary user.",
    );
  }
  const drop = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
  ];
  return {
    owner,
    command: (program, args) => ({ program: "setpriv", args: [...drop, program, ...args], options: {} }),
  };
}

function findOrMakeUser(): { uid: number; gid: number } {
  const known = lookUp("postgres");
  if (known) return known;
  spawnSync("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"]);
  const chosen = lookUp("postgres") ?? lookUp("nobody");
  if (chosen) return chosen;
  throw new StartRefused(
    "PostgreSQL does not run as root, and there is no other user to run it as. Add a user postgres.",
  );
}

function lookUp(name: string): { uid: number; gid: number } | null {
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

function canReach(path: string, user: { uid: number; gid: number }): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & enter) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
