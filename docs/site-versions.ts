import list from './versions.json' with { type: 'json' };

/** A version, and the folder of its site: `v1/` for example, `''` for the newest, which is at the root. */
export interface SiteVersion {
  readonly version: string;
  readonly folder: string;
}

/** The versions that the site has, the newest first. `pnpm changeset version` adds to the list. */
export const versions: readonly SiteVersion[] = list;

/** The version whose site has the base path `base`. */
export function versionAt(base: string): SiteVersion {
  return versions.find(({ folder }) => folder !== '' && base.endsWith(`/${folder}`)) ?? versions[0]!;
}

/** The path of the whole site, which the site with the base path `base` is part of. */
export function rootOf(base: string): string {
  return base.slice(0, base.length - versionAt(base).folder.length);
}

/** Whether a path is that of a page of another version than that of the site with the base path `base`. */
export function isOtherVersion(path: string, base: string): boolean {
  const root = rootOf(base);
  const inFolder = versions.find(({ folder }) => folder !== '' && path.startsWith(root + folder));
  return path.startsWith(root) && (inFolder ?? versions[0]) !== versionAt(base);
}

/**
 * The list after the release of a version. The last version before it keeps a folder if the new one may break
 * what works with it: if it has another major version or, below 1.0.0, another minor version.
 */
export function withRelease(before: readonly SiteVersion[], version: string): readonly SiteVersion[] {
  const [newest, ...earlier] = before;
  const isKept = newest!.version !== '0.0.0' && lineOf(newest!.version) !== lineOf(version);
  const kept = isKept ? [{ version: newest!.version, folder: `${lineOf(newest!.version)}/` }] : [];
  return [{ version, folder: '' }, ...kept, ...earlier];
}

/** `v1` of 1.2.3, and `v0.1` of 0.1.2. */
function lineOf(version: string): string {
  return `v${/^(?:0\.)?\d+/.exec(version)![0]}`;
}
