import type { ServerEntry } from './entry/server-entry.ts';
import type { ConfiguredServer } from './load-configuration.ts';
import { maskTarget, maskVariable } from './entry/mask-secrets.ts';
import { shellWord } from '../shell-word.ts';

type Explained = {
  readonly format: { readonly title: string };
  readonly hidden: ConfiguredServer['hidden'];
};

/** A server and its origin, as `mcp config explain --json` prints them: secrets are masked. */
export function explanationOf({ format, hidden }: Explained, entry: ServerEntry) {
  const { name, origin, scope, target, tools, variables } = entry;
  const { enabled, startTimeoutMs, callTimeoutMs, notes } = entry;
  return {
    server: name,
    ...(origin && { file: origin.file, line: origin.line }),
    host: format.title,
    scope,
    hides: hidden,
    enabled,
    target: shownTarget(target, variables),
    variables: variables.map(maskVariable),
    tools,
    startTimeoutMs,
    callTimeoutMs,
    notes,
  };
}

function shownTarget(target: ServerEntry['target'], variables: ServerEntry['variables']) {
  const masked = maskTarget(target, variables);
  if (masked.kind === 'stdio') return masked;
  const { kind, url, transport, headers, oauth } = masked;
  return { kind, url, transport, headers, clientId: oauth?.clientId };
}

/**
 * The result of `explanationOf` as rows of a label and a text. If `args` is given, it is shown instead of the
 * arguments of the server's command.
 */
export function explainServer(
  server: Explained,
  entry: ServerEntry,
  args?: readonly string[],
): (readonly [label: string, text: string])[] {
  const { target, ...explained } = explanationOf(server, entry);
  const lines: [string, string][] = [['server', explained.server]];
  if (explained.file !== undefined)
    lines.push(['from', `${explained.file}:${explained.line} (${explained.host}, ${explained.scope})`]);
  for (const each of explained.hides) lines.push(['hides', `${each.file}:${each.line}`]);
  if (!explained.enabled) lines.push(['disabled', 'yes']);
  lines.push(...targetLines(target.kind === 'stdio' && args ? { ...target, args: [...args] } : target));
  for (const { text, key, source, value } of explained.variables)
    lines.push(['variable', `${text} in ${key} is "${value}" (${source})`]);
  if (explained.tools.allow.length > 0) lines.push(['allows', explained.tools.allow.join(', ')]);
  if (explained.tools.deny.length > 0) lines.push(['denies', explained.tools.deny.join(', ')]);
  lines.push(['timeouts', `start ${explained.startTimeoutMs} ms, call ${explained.callTimeoutMs} ms`]);
  for (const note of explained.notes) lines.push(['note', note]);
  return lines;
}

function targetLines(target: ReturnType<typeof shownTarget>): [string, string][] {
  const lines: [string, string][] = [];
  if (target.kind === 'stdio') {
    lines.push(['command', [target.command, ...target.args].map(shellWord).join(' ')]);
    if (target.cwd !== undefined) lines.push(['directory', target.cwd]);
    for (const [key, value] of Object.entries(target.env)) lines.push(['env', `${key}=${value}`]);
    return lines;
  }
  lines.push(['url', target.url], ['transport', transportText[target.transport]]);
  for (const [key, value] of Object.entries(target.headers)) lines.push(['header', `${key}: ${value}`]);
  if (target.clientId !== undefined) lines.push(['client id', target.clientId]);
  return lines;
}

const transportText = {
  auto: 'Streamable HTTP, else HTTP+SSE',
  streamable: 'Streamable HTTP',
  sse: 'HTTP+SSE',
} as const;
