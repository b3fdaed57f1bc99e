import type { RouteReply } from '@mcp/protocol/http';
import type { Client } from '../clients/client.ts';
import { isLoopback } from '../clients/redirect-uri.ts';
import { escapeHtml, page } from './html.ts';

/** What the page shows, and what its form sends. */
export interface ConsentPage {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The name and the URL of the server. */
  readonly server: { readonly name: string; readonly url: string };
  /** The path that the form is sent to. */
  readonly action: string;
  /** The hidden fields of the form. */
  readonly fields: { readonly [name: string]: string };
  /** Why the last attempt failed. */
  readonly problem?: string;
}

/** The page on which the user lets a client in, or does not. */
export function consentPage(
  status: number,
  shown: ConsentPage,
  headers: RouteReply['headers'] = {},
): RouteReply {
  const { client, server, scopes, fields, problem, action } = shown;
  const target = new URL(shown.redirectUri);
  const permissions = scopes.filter((scope) => scope !== 'offline_access');
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const body = `<p><strong>${escapeHtml(client.name)}</strong> asks for access to <strong>${escapeHtml(server.name)}</strong>.</p>
<dl>
<dt>Client</dt><dd>${escapeHtml(client.name)}, ${escapeHtml(describedBy(client))}</dd>
<dt>Access goes to</dt><dd>${escapeHtml(shownTarget(target))}</dd>
<dt>Server</dt><dd>${escapeHtml(server.url)}</dd>
<dt>Permissions</dt><dd>${permissions.length > 0 ? permissions.map(escapeHtml).join('<br>') : 'everything that this server offers'}</dd>
</dl>
<p>Allow this only if you have just started it yourself.</p>
<form method="post" action="${escapeHtml(action)}">
${hidden.join('\n')}
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>\n`}<label for="password">Passphrase</label>
<input id="password" type="password" name="password" autocomplete="current-password" autofocus>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`;
  return page(status, 'Allow access?', body, { headers, formTargets: formTargets(target) });
}

function describedBy({ host }: Client): string {
  return host === undefined ? 'as it calls itself' : `described by ${host}`;
}

function shownTarget(target: URL): string {
  if (target.protocol === 'https:') return target.host;
  return isLoopback(target)
    ? `a program on the computer of this browser (${target.host})`
    : `a program that opens ${target.protocol}// links on the computer of this browser`;
}

/**
 * Browsers apply `form-action` to every redirect after the form, also to those at the site of the client,
 * which no one but the client knows: so the scheme alone is limited.
 */
function formTargets({ protocol }: URL): string {
  return ["'self'", 'https:', ...(protocol === 'https:' ? [] : [protocol])].join(' ');
}
