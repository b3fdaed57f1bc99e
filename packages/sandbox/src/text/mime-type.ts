import { extname } from 'node:path';

/** The MIME types of text files, with their extensions. */
const text = byExtension({
  'text/plain': 'txt',
  'text/markdown': 'md markdown',
  'text/html': 'html htm',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/xml': 'xml',
  'image/svg+xml': 'svg',
  'application/json': 'json',
  'application/jsonl': 'jsonl',
  'application/yaml': 'yaml yml',
  'application/toml': 'toml',
  'text/javascript': 'js mjs cjs jsx',
  'text/x-typescript': 'ts mts cts tsx',
  'text/x-python': 'py',
  'text/x-ruby': 'rb',
  'text/x-rust': 'rs',
  'text/x-go': 'go',
  'text/x-java': 'java',
  'text/x-c': 'c h',
  'text/x-c++': 'cpp hpp',
  'text/x-csharp': 'cs',
  'text/x-php': 'php',
  'text/x-shellscript': 'sh',
  'application/sql': 'sql',
  'text/calendar': 'ics',
});

const binary = byExtension({
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/bmp': 'bmp',
  'image/x-icon': 'ico',
  'image/tiff': 'tif tiff',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/x-tar': 'tar',
  'application/wasm': 'wasm',
  'application/vnd.sqlite3': 'sqlite',
  'font/woff2': 'woff2',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
});

/** The first bytes of file formats, which take precedence over the file name. */
const signatures: [mimeType: string, signature: string, offset?: number][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'WEBP', 8],
  ['image/avif', 'ftypavif', 4],
  ['image/avif', 'ftypavis', 4],
  ['image/heic', 'ftypheic', 4],
  ['image/heic', 'ftypheix', 4],
  ['image/heic', 'ftyphevc', 4],
  ['image/heif', 'ftypmif1', 4],
  ['image/heif', 'ftypmsf1', 4],
  ['audio/wav', 'WAVE', 8],
  ['audio/mpeg', 'ID3'],
  ['audio/mp4', 'ftypM4A', 4],
  ['audio/ogg', 'OggS'],
  ['audio/flac', 'fLaC'],
  ['video/mp4', 'ftyp', 4],
  ['video/webm', '\x1aE\xdf\xa3'],
  ['application/pdf', '%PDF-'],
  ['application/gzip', '\x1f\x8b'],
  ['application/wasm', '\0asm'],
  ['application/vnd.sqlite3', 'SQLite format 3\0'],
];

/** The MIME type of a text file, by its extension. Default: `text/plain`. */
export function textMimeType(path: string): string {
  return text.get(extension(path)) ?? 'text/plain';
}

/** The MIME type by the first bytes, else by the extension, else `application/octet-stream`. */
export function binaryMimeType(path: string, bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 32);
  const [recognised] =
    signatures.find(([, signature, offset = 0]) => start.startsWith(signature, offset)) ?? [];
  return recognised ?? binary.get(extension(path)) ?? 'application/octet-stream';
}

/** Whether bytes begin like a binary format whose first bytes could be decoded as text. */
export function looksBinary(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === '%PDF-';
}

function extension(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

function byExtension(types: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(types).flatMap(([type, extensions]) => extensions.split(' ').map((each) => [each, type])),
  );
}
