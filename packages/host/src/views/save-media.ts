import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { codeOf, messageOf } from '@mcp/kit';
import type { Media } from '@mcp/vendors/content';
import { usageError } from '../errors.ts';

/** Maximum number of names that are tried if files with these names exist already. */
const maxAttempts = 10_000;

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'text/plain': 'txt',
};

/**
 * Writes media to a new file in `directory`, which is created if missing, and returns the file's path. `name`
 * comes from a server, so only its letters, digits, `.`, `_` and `-` are used.
 */
export function saveMedia(directory: string, name: string, { mimeType, data }: Media): string {
  const clean = safeName(name);
  const extension = extensionOf(clean, mimeType);
  const stem = clean.endsWith(extension) ? clean.slice(0, clean.length - extension.length) : clean;
  const bytes = Buffer.from(data, 'base64');
  try {
    mkdirSync(directory, { recursive: true });
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const path = join(directory, `${stem}${attempt === 1 ? '' : `-${attempt}`}${extension}`);
      if (writeNew(path, bytes)) return path;
    }
  } catch (error) {
    throw usageError(`Cannot write to --save "${directory}": ${messageOf(error)}`);
  }
  throw usageError(`Cannot write to --save "${directory}": it has ${maxAttempts} files named "${stem}"`);
}

/** The extension for a MIME type; for an unknown type, the extension of the name. */
function extensionOf(name: string, mimeType: string): string {
  if (Object.hasOwn(extensions, mimeType)) return `.${extensions[mimeType]!}`;
  return extname(name) || '.bin';
}

/** Writes a new file; returns false if the file exists already. */
function writeNew(path: string, bytes: Uint8Array): boolean {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function safeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const clean = base
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  return clean === '' ? 'result' : clean;
}
