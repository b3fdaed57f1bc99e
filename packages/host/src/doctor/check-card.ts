import { fetchJson, isObject } from '@mcp/kit';
import type { HttpTarget } from '../config/entry/server-entry.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning } = findingsOf('card');
const maxBytes = 256 * 1024;

/**
 * Compares the card that a server publishes at `<url>/server-card` (SEP-2127, an experimental extension) with
 * the server that answers. Nothing is reported for a server without a card.
 */
export async function checkCard(
  { url }: HttpTarget,
  { client }: Pick<Session, 'client'>,
  limitMs: number,
): Promise<Finding[]> {
  const card = await cardOf(url, limitMs);
  if (!card) return [];
  const { serverInfo, revision } = client;
  const remotes = (Array.isArray(card['remotes']) ? card['remotes'] : []).filter(isObject);
  const own = remotes.find((remote) => remote['url'] === new URL(url).href.replace(/\/$/, ''));
  const spoken = own?.['supportedProtocolVersions'];
  const differences = [
    card['version'] === serverInfo?.version
      ? undefined
      : `the version ${quoted(card['version'])}, and the server says ${quoted(serverInfo?.version)}`,
    own ? undefined : `no remote with the URL that is configured`,
    Array.isArray(spoken) && !spoken.includes(revision)
      ? `versions of the protocol without ${revision}, in which the server answers`
      : undefined,
  ].filter((each) => each !== undefined);
  if (differences.length === 0) return [ok('the server card agrees with the server')];
  return differences.map((each) =>
    warning(`the server card has ${each}`, 'correct the card, or the URL of the entry'),
  );
}

async function cardOf(url: string, limitMs: number) {
  if (!/^https?:/.test(url)) return undefined;
  const at = new URL(url);
  at.pathname = `${at.pathname.replace(/\/$/, '')}/server-card`;
  at.search = '';
  const headers = { accept: 'application/mcp-server-card+json' };
  const bounds = { signal: AbortSignal.timeout(limitMs), maxBytes };
  const { response, json } = await fetchJson((request) => fetch(request), at, { headers }, bounds).catch(
    () => ({ response: undefined, json: undefined }),
  );
  return response?.status === 200 ? json : undefined;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 100)}"` : 'none';
}
