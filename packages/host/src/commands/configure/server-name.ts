import type { ServerEntry } from '../../config/entry/server-entry.ts';

/** Launchers whose first word without a hyphen is a package, a script or a module. */
const launchers = /^(?:npx|bunx|pnpx|uvx|pipx|node|tsx|python[\d.]*)$/;

/** Launchers whose words do not say which one names the server. */
const others = /^(?:sh|bash|zsh|cmd|env|uv|npm|pnpm|yarn|bun|deno|docker|podman|go|cargo|dotnet|java|wsl)$/;

/** The name that a server gets if none is given; undefined where its command or URL tells none. */
export function serverName({ target }: ServerEntry): string | undefined {
  if (target.kind === 'http') return nameOfHost(new URL(target.url).hostname);
  const command = baseName(target.command);
  if (others.test(command)) return undefined;
  const word = launchers.test(command) ? target.args.find((each) => !each.startsWith('-')) : command;
  if (word === undefined) return undefined;
  // The package of a scope may have a name that says nothing more: `@github/mcp-server`.
  const [, scope] = /^@([^/]+)\/(?:mcp-server|server|mcp)(?:@.*)?$/.exec(word) ?? [];
  return withoutAffixes(scope ?? baseName(word));
}

/** `server-files` of `@scope/server-files@1.2`, and `server` of `dist/server.js`. */
function baseName(word: string): string {
  return (
    word
      .replace(/(?<=.)[@=].*$/, (version) => (version.includes('/') ? version : ''))
      .split(/[\\/]/)
      .at(-1) ?? ''
  ).replace(/\.(?:exe|cmd|bat|[cm]?[jt]s|py)$/i, '');
}

/** `git` of `mcp-server-git`; undefined for a text without a name. */
export function withoutAffixes(name: string): string | undefined {
  const short = name.replace(/^(?:mcp-server-|server-|mcp-)/, '').replace(/-(?:mcp-server|mcp|server)$/, '');
  return /^[\w.-]+$/.test(short) ? short : undefined;
}

/** `linear` of `mcp.linear.app`; the whole address where it is a number or one word. */
function nameOfHost(hostname: string): string | undefined {
  const labels = hostname.split('.');
  if (/^[\d.[\]:a-f]+$/i.test(hostname) || labels.length < 2) return withoutAffixes(hostname);
  const [first] = labels.slice(0, -1).filter((label) => !/^(?:www|mcp|api)$/.test(label));
  return first === undefined ? undefined : withoutAffixes(first);
}
