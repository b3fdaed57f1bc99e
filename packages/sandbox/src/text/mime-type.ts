import { extname } from 'node:path';

const text: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  jsx: 'text/javascript',
  ts: 'text/x-typescript',
  mts: 'text/x-typescript',
  cts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  rs: 'text/x-rust',
  go: 'text/x-go',
  java: 'text/x-java',
  c: 'text/x-c',
  h: 'text/x-c',
  cpp: 'text/x-c++',
  hpp: 'text/x-c++',
  cs: 'text/x-csharp',
  php: 'text/x-php',
  sh: 'text/x-shellscript',
  sql: 'application/sql',
  ics: 'text/calendar',
};

const binary: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  heif: 'image/heif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  wasm: 'application/wasm',
  sqlite: 'application/vnd.sqlite3',
  woff2: 'font/woff2',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

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
  return text[extension(path)] ?? 'text/plain';
}

/**
 * The MIME type of a binary file, by its first bytes, then by its extension. Default:
 * `application/octet-stream`.
 */
export function binaryMimeType(path: string, bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 32);
  const [recognised] =
    signatures.find(([, signature, offset = 0]) => start.startsWith(signature, offset)) ?? [];
  return recognised ?? binary[extension(path)] ?? 'application/octet-stream';
}

/** Whether bytes begin like a binary format whose first bytes may decode as text. */
export function looksBinary(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === '%PDF-';
}

function extension(path: string): string {
  return extname(path).slice(1).toLowerCase();
}
