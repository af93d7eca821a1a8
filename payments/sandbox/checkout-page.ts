import type { SandboxPayment } from "./store.ts";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

const style = `
:root { color-scheme: light dark; --ground: #eef1ee; --card: #fff; --ink: #17261f; --soft: #52635a; --line: #d5ddd8; --go: #1f6b4a; --on-go: #fff; --wash: #fdf3d7 }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1713; --card: #18231d; --ink: #e6efe9; --soft: #a3b5ab; --line: #2d3d34; --go: #7fd1a8; --on-go: #0f1713; --wash: #3a3013 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 440px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 28px }
.brand { font-weight: 600; color: var(--soft) }
h1 { margin: 20px 0 4px; font-size: 21px; line-height: 1.3; overflow-wrap: anywhere }
p { margin: 0; color: var(--soft) }
form { display: grid; gap: 10px; margin-top: 22px }
button { min-height: 44px; border-radius: 10px; border: 1px solid var(--line); background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button.go { background: var(--go); border-color: var(--go); color: var(--on-go) }
button:focus-visible, a:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
a { color: var(--go) }
.note { margin-top: 18px; padding: 12px 14px; border-radius: 10px; background: var(--wash); color: var(--ink); font-size: 13px }`;

const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Sandbox payments</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand">Sandbox payments</div>
${body}
<p class="note">No money moves here. This page runs on your own server, so that you can try payments without an account anywhere.</p>
</main>
</body>
</html>`;

const dollars = (micros: number): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(micros / 1_000_000);

const button = (action: string, label: string, look = ""): string =>
  `<button name="action" value="${action}"${look}>${label}</button>`;

/** Before payment: pay, decline or leave. Afterwards: what a provider's dashboard can do with it. */
export function checkoutPage(payment: SandboxPayment): string {
  const amount = dollars(payment.amountMicros);
  const form = (buttons: string[]) => `<form method="post">${buttons.join("")}</form>`;
  const back = `<p><a href="${escape(payment.returnUrl)}">Back to Leadline</a></p>`;
  const about = `<p>${escape(payment.description)}</p>`;
  if (payment.state === "open")
    return frame(
      `Pay ${amount}`,
      `<h1>Pay ${amount}?</h1>${about}${form([
        button("pay", `Pay ${amount}`, ' class="go"'),
        button("decline", "Decline the payment"),
        button("leave", "Leave without paying"),
      ])}`,
    );
  if (payment.state !== "paid") return frame("Not paid", `<h1>${amount} wasn’t paid</h1>${about}${back}`);
  const rest = payment.amountMicros - payment.refundedMicros;
  return frame(
    `${amount} paid`,
    `<h1>${amount} is paid</h1>${about}
<p>${dollars(payment.refundedMicros)} refunded. ${payment.disputed ? "The payer’s bank has taken the rest back." : "Not disputed."}</p>
${form([
  ...(rest > 0 && !payment.disputed ? [button("refund", `Refund ${dollars(rest)}`)] : []),
  ...(rest > 0 && !payment.disputed ? [button("dispute", "Dispute the payment, as the payer’s bank")] : []),
  ...(payment.disputed ? [button("win", "Win the dispute")] : []),
  ...(payment.savesMethod
    ? [
        payment.cardDeclines
          ? button("accept-card", "Accept automatic top-ups with this card")
          : button("refuse-card", "Decline automatic top-ups with this card"),
      ]
    : []),
])}${back}`,
  );
}

export const missingPage = frame("No such payment", "<h1>No such payment</h1><p>Check the address.</p>");
