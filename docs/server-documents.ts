import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * A document of the repository without its heading, with its relative links rewritten for a page in docs/.
 */
export function fromRoot(path: string): string {
  const folder = path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/` : '';
  return readFileSync(join(root, path), 'utf8')
    .replace(/^# .*\n/, '')
    .replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](../${folder}$1)`);
}

/**
 * The sections of a server's README on its configuration, its options and its setup in each host, with their
 * relative links rewritten for a page in docs/servers/.
 */
export function startOf(name: string): string {
  const document = `servers/${name}/README.md`;
  const [, text = ''] =
    /\n(```json\n[\s\S]*?)\n## Tools\n/.exec(readFileSync(join(root, document), 'utf8')) ?? [];
  if (!text.includes('\n| option ') || !text.includes('\n## In your host\n'))
    throw new Error(`${document} has no options or no hosts before its tools`);
  return `## Configuration\n\n${text}`
    .replace('\n| option ', '\n## Options\n\n| option ')
    .replaceAll(/<!--.*?-->\n*/g, '')
    .replaceAll(/\]\(#/g, '](README.md#')
    .replaceAll(/\]\((?!https?:)([^)]+)\)/g, `](../../servers/${name}/$1)`);
}
