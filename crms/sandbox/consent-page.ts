export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

const style = `
:root { color-scheme: light dark; --ground: #eef1ee; --card: #fff; --ink: #17261f; --soft: #52635a; --line: #d5ddd8; --go: #1f6b4a; --on-go: #fff; --wash: #e4efe9 }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1713; --card: #18231d; --ink: #e6efe9; --soft: #a3b5ab; --line: #2d3d34; --go: #7fd1a8; --on-go: #0f1713; --wash: #203229 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 440px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 28px }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 600; color: var(--soft) }
h1 { margin: 20px 0 4px; font-size: 21px; line-height: 1.3 }
p { margin: 0; color: var(--soft) }
ul { margin: 18px 0; padding: 14px 16px 14px 34px; background: var(--wash); border-radius: 10px }
li + li { margin-top: 6px }
form { display: flex; gap: 10px; margin-top: 22px }
button { flex: 1; height: 44px; border-radius: 10px; border: 1px solid var(--line); background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button[value=allow] { background: var(--go); border-color: var(--go); color: var(--on-go) }
button:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
dl { margin: 20px 0 0; display: grid; gap: 2px }
dt { font-size: 13px; color: var(--soft) }
dd { margin: 0 0 12px; white-space: pre-line; overflow-wrap: anywhere }
.note { margin-top: 18px; font-size: 13px }`;

export const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand"><svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="7" fill="var(--go)"/><path d="M6 17c3-5 5-5 7-2s4 3 7-2" fill="none" stroke="var(--on-go)" stroke-width="2.4" stroke-linecap="round"/><circle cx="18" cy="8" r="2.6" fill="var(--on-go)"/></svg>Sandbox CRM</div>
${body}
</main>
</body>
</html>`;

const meanings: Record<string, string> = {
  api: "Read your leads: names, companies, emails and phone numbers, and write calls on them",
  refresh_token: "Keep access until you take it away",
  offline_access: "Keep access until you take it away",
  full: "Do everything you can do",
  oauth: "Keep access until you take it away",
  "global:read": "Read your workspaces, apps and items: names, companies, emails and phone numbers",
  "global:write": "Write comments about calls on your items",
  "global:all": "Read and change everything you can see there: workspaces, apps and items",
  "crm.objects.contacts.read": "Read your contacts: names, companies, emails and phone numbers",
  "crm.objects.owners.read": "Read who owns each contact",
  "crm.objects.contacts.write": "Change your contacts, and write calls on them",
};

export function consentPage(consent: { ticket: string; scopes: readonly string[]; domain: string }): string {
  const { ticket, scopes, domain } = consent;
  const items = scopes.map((scope) => `<li>${escape(meanings[scope] ?? scope)}</li>`).join("");
  return frame(
    "Allow access? · Sandbox CRM",
    `<h1>Allow Leadline to access your CRM?</h1>
<p>You are signed in as Sandy Shore at ${escape(domain)}.</p>
<ul>${items}</ul>
<form method="post">
<input type="hidden" name="ticket" value="${escape(ticket)}">
<button name="decision" value="deny">Deny</button>
<button name="decision" value="allow">Allow</button>
</form>
<p class="note">This CRM runs on your own server, with made-up people, so that you can try Leadline without an account anywhere.</p>`,
  );
}

export const refusalPage = (reason: string): string =>
  frame("Access cannot be given · Sandbox CRM", `<h1>Access cannot be given</h1><p>${escape(reason)}</p>`);
