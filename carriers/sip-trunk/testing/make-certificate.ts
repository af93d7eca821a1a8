import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Peers } from "./peers-in.ts";

const run = promisify(execFile);

/** A self-signed certificate for that name or address: its own authority. */
export async function makeCertificate(peers: Peers, folder: string, name: string) {
  const key = join(folder, `${name}.key`);
  const certificate = join(folder, `${name}.pem`);
  const config = join(folder, `${name}.cnf`);
  await writeFile(config, "[req]\ndistinguished_name = dn\n[dn]\n");
  const subject = [
    "-subj",
    `/CN=${name}`,
    "-addext",
    `subjectAltName=${isIP(name) === 0 ? "DNS" : "IP"}:${name}`,
    "-addext",
    "basicConstraints=CA:TRUE",
  ];
  const form = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await run(
    peers.programs.openssl,
    ["req", "-x509", "-config", config, ...form, ...subject, "-keyout", key, "-out", certificate],
    { env: peers.env },
  );
  const authority = await readFile(certificate, "utf8");
  const both = join(folder, `${name}.both.pem`);
  await writeFile(both, `${await readFile(key, "utf8")}${authority}`);
  return { key, certificate, both, authority };
}
