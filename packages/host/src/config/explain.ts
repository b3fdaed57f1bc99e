import type { ServerDefinition } from './definition.ts';
import type { ConfiguredServer } from './load.ts';
import { maskArguments, maskUrl, maskValue } from './mask-secrets.ts';

/** What `mcp config explain` says of a server: label and text, line by line, without secrets. */
export function explainServer(
  {
    format,
    hidden,
  }: { readonly format: { readonly title: string }; readonly hidden: ConfiguredServer['hidden'] },
  definition: ServerDefinition,
): (readonly [label: string, text: string])[] {
  const { name, origin, scope, target, tools, variables, notes } = definition;
  const lines: [string, string][] = [['server', name]];
  if (origin) lines.push(['from', `${origin.file}:${origin.line} (${format.title}, ${scope})`]);
  for (const each of hidden) lines.push(['hides', `${each.file}:${each.line}`]);
  if (!definition.enabled) lines.push(['disabled', 'yes']);
  if (target.kind === 'stdio') {
    lines.push(['command', [target.command, ...maskArguments(target.args)].map(shellWord).join(' ')]);
    if (target.cwd !== undefined) lines.push(['directory', target.cwd]);
    for (const [key, value] of Object.entries(target.env))
      lines.push(['env', `${key}=${maskValue(key, value)}`]);
  } else {
    lines.push(['url', maskUrl(target.url)], ['transport', transportText[target.transport]]);
    for (const [key, value] of Object.entries(target.headers)) {
      lines.push(['header', `${key}: ${maskValue(key, value)}`]);
    }
    if (target.oauth?.clientId) lines.push(['client id', target.oauth.clientId]);
  }
  for (const { text, key, source, value } of variables) {
    lines.push(['variable', `${text} in ${key} is "${maskValue(`${text} ${key}`, value)}" (${source})`]);
  }
  if (tools.allow.length > 0) lines.push(['allows', tools.allow.join(', ')]);
  if (tools.deny.length > 0) lines.push(['denies', tools.deny.join(', ')]);
  lines.push(['timeouts', `start ${definition.startTimeoutMs} ms, call ${definition.callTimeoutMs} ms`]);
  for (const note of notes) lines.push(['note', note]);
  return lines;
}

const transportText = {
  auto: 'Streamable HTTP, else HTTP+SSE',
  streamable: 'Streamable HTTP',
  sse: 'HTTP+SSE',
} as const;

function shellWord(word: string): string {
  return /^[\w@%+=:,./•-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
