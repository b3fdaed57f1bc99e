import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The properties of a packed package that a registry reads. */
export interface TarballManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The `package.json` inside a tarball. */
export function manifestIn(tarball: string): TarballManifest {
  return JSON.parse(
    execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as TarballManifest;
}

/** The hash by which a registry identifies a tarball, such as `sha512-…`. */
export function integrityOf(data: Buffer): string {
  return `sha512-${createHash('sha512').update(data).digest('base64')}`;
}
