import { createHash } from 'node:crypto';
import { escapeText } from '@mcp/kit';
import type { RouteReply } from '@mcp/protocol/http';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 10vh auto; padding: 0 1rem }
dt { font-weight: 600; margin-top: .75rem } dd { margin: 0; overflow-wrap: anywhere }
label, input { display: block; width: 100%; box-sizing: border-box; font: inherit }
input { padding: .5rem; margin: .25rem 0 1rem }
button { font: inherit; padding: .5rem 1.5rem; margin-right: .5rem }
.problem { color: #c00; font-weight: 600 }`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Text as HTML, with its hidden characters escaped. */
export function escapeHtml(text: string): string {
  const entities: { readonly [character: string]: string } = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return escapeText(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/**
 * A page without scripts, which no site may frame, no cache keep and no other site learn the URL of.
 * @param formTargets where the browser may go after the form of the page, in the words of a Content Security
 *   Policy
 */
export function page(
  status: number,
  title: string,
  body: string,
  { formTargets = "'none'", headers = {} }: { formTargets?: string; headers?: RouteReply['headers'] } = {},
): RouteReply {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Not "no-referrer", with which browsers send the form without its origin.
      'referrer-policy': 'same-origin',
      ...headers,
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`,
  };
}

/** A page that says why a request is refused. */
export function errorPage(status: number, reason: string, headers: RouteReply['headers'] = {}): RouteReply {
  return page(status, 'Access is not possible', `<p>${escapeHtml(reason)}.</p>`, { headers });
}
