import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '@mcp/kit';
import { usageError } from '../../errors.ts';
import { download } from '../../registry/bundle/download.ts';
import { readManifest } from '../../registry/bundle/manifest.ts';
import { readZip, type ZipFile } from '../../registry/bundle/read-zip.ts';
import type { Offer } from '../../registry/offers.ts';
import { refuseUnportable } from '../skills/portable-paths.ts';

export interface BundleOptions {
  readonly registry: URL;
  /** The directory that has the bundles. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** An offer whose files are written before it can be started. */
export interface InstallableOffer extends Offer {
  /** Writes the files, unless they are there. */
  install(): void;
}

/**
 * Downloads a bundle, and compares it with its digest. Nothing is written or started before `install`.
 * Rejects with a `HostError` for a bundle that cannot be used here.
 */
export async function bundleOffer(
  offer: Offer & { readonly bundle: NonNullable<Offer['bundle']> },
  { registry, directory, signal }: BundleOptions,
): Promise<InstallableOffer> {
  const { url, sha256 } = offer.bundle;
  const archive = await download({ url, sha256, registry, signal });
  const place = join(directory, nameOf(sha256));
  try {
    const files = readZip(archive);
    const paths = [...files.keys()];
    refuseUnportable(paths, { mayStartWithDot: true });
    const manifest = files.get('manifest.json');
    if (!manifest) throw new Error('it has no manifest.json');
    const { questions, target } = readManifest(
      Buffer.from(manifest.bytes).toString('utf8'),
      process.platform,
    );
    return {
      ...offer,
      questions: [...questions, ...offer.questions],
      target: (answers) => {
        const own = target(answers, place);
        const { env = {} } = offer.target(answers) as { readonly env?: Readonly<Record<string, string>> };
        return { ...own, env: { ...own.env, ...env } };
      },
      install: () => write(place, files),
    };
  } catch (error) {
    throw usageError(`The bundle "${url}" cannot be used: ${messageOf(error)}`, undefined, error);
  }
}

/** A digest in letters: where paths are shown, digits among letters would be taken for a secret. */
function nameOf(sha256: string): string {
  return sha256
    .toLowerCase()
    .replaceAll(/[\da-f]/g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]!);
}

/** Writes the files into a new directory, in one atomic step. */
function write(place: string, files: ReadonlyMap<string, ZipFile>): void {
  if (existsSync(place)) return;
  const made = `${place}.${process.pid}`;
  try {
    for (const [path, { bytes, isExecutable }] of files) {
      const file = join(made, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes, { flag: 'wx', mode: isExecutable ? 0o700 : 0o600 });
    }
    renameSync(made, place);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
