import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteBase } from './site-base.ts';
import { type SiteVersion, versionAt, versions } from './site-versions.ts';

/** The repository with the tags, its site, and the path of the site. */
export interface WholeSite {
  readonly repository: string;
  readonly dist: string;
  readonly base: string;
}

/**
 * Builds the sites of earlier versions into their folders, each from its tag, as that version builds its
 * site, but with the list of versions of now.
 */
export function buildEarlier(earlier: readonly SiteVersion[], { repository, dist, base }: WholeSite): void {
  for (const { version, folder } of earlier) {
    const tag = `v${version}`;
    const tree = mkdtempSync(join(tmpdir(), 'mcp-site-'));
    const run = (cwd: string, command: string, ...args: string[]) =>
      execFileSync(command, args, {
        cwd,
        stdio: 'inherit',
        env: { ...process.env, SITE_BASE: `${base}${folder}` },
      });
    // A clone of GitHub's actions has no tags.
    run(repository, 'git', 'fetch', '--quiet', '--depth=1', 'origin', `refs/tags/${tag}:refs/tags/${tag}`);
    run(repository, 'git', 'worktree', 'add', '--quiet', '--detach', tree, tag);
    try {
      cpSync(join(repository, 'docs/versions.json'), join(tree, 'docs/versions.json'));
      run(tree, 'pnpm', 'install', '--frozen-lockfile');
      run(tree, 'pnpm', 'site');
      cpSync(join(tree, 'docs/.vitepress/dist'), join(dist, folder), { recursive: true });
    } finally {
      run(repository, 'git', 'worktree', 'remove', '--force', tree);
      rmSync(tree, { recursive: true, force: true });
    }
  }
}

if (import.meta.main) {
  // The site of an earlier version does not have the others.
  const earlier = versionAt(siteBase).folder === '' ? versions.slice(1) : [];
  const dist = join(import.meta.dirname, '.vitepress/dist');
  buildEarlier(earlier, { repository: join(import.meta.dirname, '..'), dist, base: siteBase });
  console.log(`Built the sites of ${earlier.length} earlier versions`);
}
