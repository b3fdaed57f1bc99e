import { join } from 'node:path';
import { type FormatName, formats } from '../formats/formats.ts';
import { type Environment, type WellKnownFile, wellKnownFiles } from '../formats/well-known-files.ts';

/** The hosts whose files can be written, by the names of the options `--to` and `--from`. */
export const hostNames = [
  'mcp',
  ...(Object.keys(formats) as FormatName[]).filter((name) => name !== 'any'),
] as const;

export type HostName = (typeof hostNames)[number];

/** The name of a host for a person. */
export function hostTitle(name: HostName): string {
  return name === 'mcp' ? 'mcp' : formats[name as FormatName].title;
}

/** Whether a file is that of `mcp` itself, which has the format of Claude Code. */
export function isOwnFile(path: string): boolean {
  return path.endsWith(join('mcp', 'mcp.json'));
}

/**
 * The files of a host in the order in which they are written: the first one that exists, or else the first.
 * The part of Claude Code's file for one project is not among them.
 */
export function filesOfHost(
  name: HostName,
  scope: 'user' | 'project',
  environment: Environment,
): readonly WellKnownFile[] {
  const known = wellKnownFiles(environment).filter((file) => file.scope === scope && file.part !== 'local');
  if (name === 'mcp') return scope === 'user' ? known.filter(({ path }) => isOwnFile(path)) : [];
  return known.filter(({ format, path }) => format === name && !isOwnFile(path));
}
