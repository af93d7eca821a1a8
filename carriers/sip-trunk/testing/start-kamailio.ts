import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { answersOptions } from "./ask-options.ts";
import type { Peers } from "./peers-in.ts";
import { type Running, startProgram, until } from "./start-program.ts";

export interface Account {
  user: string;
  password: string;
}

export interface KamailioOptions {
  folder: string;
  port: number;
  account: Account;
  algorithm?: "MD5" | "SHA-256";
  /** PEM files, for TLS on the port two above. */
  tls?: { certificate: string; key: string };
  /** The last two digits of the called number, and the port of the callee behind it. */
  callees: Record<string, number>;
}

/** Numbers that Kamailio refuses by itself, by their last two digits. */
const refusals = {
  "03": "486 Busy Here",
  "05": "603 Decline",
  "06": "503 Service Unavailable",
  "13": "404 Not Found",
  "14": "403 Forbidden",
  "15": "480 Temporarily Unavailable",
};

const modules = "tm sl rr maxfwd textops siputils pv usrloc registrar auth nathelper kex";

function configuration(peers: Peers, options: KamailioOptions): string {
  const { port, callees, account, tls } = options;
  const lines = [
    "#!KAMAILIO",
    "debug=0",
    "log_stderror=yes",
    "fork=yes",
    "children=1",
    "tcp_children=2",
    "auto_aliases=no",
    "dns=no",
    "rev_dns=no",
    `listen=udp:127.0.0.1:${port}`,
    `listen=tcp:127.0.0.1:${port}`,
    ...(tls ? ["enable_tls=yes", `listen=tls:127.0.0.1:${port + 2}`] : []),
    `mpath="${peers.kamailioModules}"`,
    ...(tls ? ['loadmodule "tls.so"'] : []),
    ...modules.split(" ").map((name) => `loadmodule "${name}.so"`),
    ...(tls
      ? [
          'modparam("tls", "tls_method", "TLSv1.2+")',
          `modparam("tls", "certificate", "${tls.certificate}")`,
          `modparam("tls", "private_key", "${tls.key}")`,
        ]
      : []),
    'modparam("usrloc", "db_mode", 0)',
    'modparam("registrar", "received_avp", "$avp(received)")',
    'modparam("nathelper", "received_avp", "$avp(received)")',
    `modparam("auth", "algorithm", "${options.algorithm ?? "MD5"}")`,
    "request_route {",
    '  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }',
    '  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }',
    "  if (has_totag()) {",
    "    if (loose_route()) { t_relay(); exit; }",
    '    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }',
    '    sl_send_reply("404", "Not Here"); exit;',
    "  }",
    "  t_check_trans();",
    '  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }',
    '  if (is_method("REGISTER")) {',
    `    if (!pv_www_authenticate("leadline.test", "${account.password}", "0")) {`,
    '      www_challenge("leadline.test", "1"); exit;',
    "    }",
    "    fix_nated_register();",
    '    save("location"); exit;',
    "  }",
    '  if (!is_method("INVITE")) { sl_send_reply("405", "Not Allowed"); exit; }',
    // A request from a callee to the account is a call from outside.
    `  if ($rU =~ "^[+]?4420") {`,
    "    $var(dialled) = $rU;",
    `    $rU = "${account.user}";`,
    '    if (!lookup("location")) { sl_send_reply("480", "Not Registered"); exit; }',
    "    record_route(); t_relay(); exit;",
    "  }",
    `  if (!pv_proxy_authenticate("leadline.test", "${account.password}", "0")) {`,
    '    proxy_challenge("leadline.test", "1"); exit;',
    "  }",
    "  consume_credentials();",
    ...Object.entries(refusals).map(([digits, reply]) => {
      const [code, ...phrase] = reply.split(" ");
      return `  if ($rU =~ "${digits}$") { sl_send_reply("${code}", "${phrase.join(" ")}"); exit; }`;
    }),
    "  record_route();",
    ...Object.entries(callees).map(
      ([digits, at]) => `  if ($rU =~ "${digits}$") { $du = "sip:127.0.0.1:${at}"; t_relay(); exit; }`,
    ),
    '  sl_send_reply("404", "Not Found");',
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * A registrar and proxy: it answers REGISTER with 401 and INVITE with 407, adds Record-Route, and stays in the path of
 * every call.
 */
export async function startKamailio(peers: Peers, options: KamailioOptions): Promise<Running> {
  const file = join(options.folder, `kamailio-${options.port}.cfg`);
  await writeFile(file, configuration(peers, options));
  const running = startProgram(
    peers.programs.kamailio,
    ["-f", file, "-DD", "-E", "-m", "32", "-M", "4", "-Y", options.folder, "-w", options.folder],
    { env: peers.env, cwd: options.folder },
  );
  await until("Kamailio listens", async () => {
    if (running.process.exitCode !== null) throw new Error(`Kamailio ended: ${running.output()}`);
    return answersOptions(options.port);
  });
  return running;
}
