import { basename, resolve } from 'node:path';
import { isObject } from '@mcp/kit';
import type { Entry } from '../entry/entry-values.ts';
import { type Format, formats } from './formats.ts';
import type { WellKnownFile } from './well-known-files.ts';

/**
 * A configuration file that the user named counts as the user's own (scope `user`), even if it is the
 * well-known file of a project.
 */
export function namedFile(path: string, known: readonly WellKnownFile[]): WellKnownFile {
  const same = known.find((each) => each.path === resolve(path));
  return { path, format: same?.format ?? formatOf(path), scope: 'user' };
}

/** The format of a file that the user named, by the names that hosts give their files. */
function formatOf(path: string): WellKnownFile['format'] {
  if (path.endsWith('.toml')) return 'codex';
  if (basename(path) === 'claude_desktop_config.json') return 'claude-desktop';
  if (/[\\/]\.vscode[\\/]mcp\.json$/.test(path)) return 'vscode';
  if (/[\\/]\.cursor[\\/]mcp\.json$/.test(path)) return 'cursor';
  if (/[\\/]\.gemini[\\/]settings\.json$/.test(path)) return 'gemini';
  if (/[\\/]\.roo[\\/]mcp\.json$|mcp_settings\.json$/.test(path)) return 'roo';
  if (/^opencode\.jsonc?$/.test(basename(path))) return 'opencode';
  if (basename(path) === 'mcp_config.json') return 'windsurf';
  return basename(path).includes('cline') ? 'cline' : 'any';
}

/** The format of a file whose name does not tell it, found by the key that contains the servers. */
export function formatOfContainer(root: Entry): Format {
  const key = formats.any.containers.find((each) => isObject(root[each]));
  const found = (['vscode', 'zed', 'opencode'] as const).find((each) => formats[each].containers[0] === key);
  return { ...formats[found ?? 'any'], cwdBelow: 'file' };
}
