export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A mail with one action, as plain text and as HTML with the same content. */
export interface MailContent {
  to: string;
  subject: string;
  greeting: string;
  /** What happened, one string per paragraph. */
  paragraphs: readonly string[];
  action: { label: string; url: string };
  /** How long the link works, and what to do if the mail was unexpected. */
  foot: string;
}

export function composeMail(content: MailContent): Mail {
  const { to } = content;
  const subject = oneLine(content.subject);
  const greeting = oneLine(content.greeting);
  const foot = oneLine(content.foot);
  const paragraphs = content.paragraphs.map(oneLine);
  const action = { ...content.action, label: oneLine(content.action.label) };
  const text = [greeting, ...paragraphs, `${action.label}:\n${action.url}`, foot, "Leadline"].join("\n\n");
  const html = `<!doctype html>
<html lang="en">
<body style="margin:0;padding:32px 16px;background:#fbfaf8;color:#0f2236;font:15px/22px system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:28px 32px;background:#fff;border:1px solid #e5e2dc;border-radius:8px">
<p style="margin:0 0 20px;font-weight:600;color:#14395b">Leadline</p>
${[greeting, ...paragraphs].map((line) => `<p style="margin:0 0 14px">${escapeHtml(line)}</p>`).join("\n")}
<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;background:#14395b;color:#fff;border-radius:8px;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>
<p style="margin:0;color:#526071;font-size:13px;line-height:20px">${escapeHtml(foot)}</p>
</div>
</body>
</html>
`;
  return { to, subject, text: `${text}\n`, html };
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");

/** A stored name with a line break must not become a header or a paragraph. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
