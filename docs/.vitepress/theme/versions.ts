import { useData } from 'vitepress';
import { defineComponent, h } from 'vue';
import { rootOf, type SiteVersion, versionAt, versions } from '../../site-versions.ts';
import './versions.css';

/** The version of the site and, where there are others, links to the same page of each. */
export const Versions = defineComponent(() => {
  const { site, page, lang } = useData();
  return () => {
    const { base } = site.value;
    const own = versionAt(base);
    if (versions.length === 1) return h('span', { class: 'versions' }, `v${own.version}`);
    const { relativePath, isNotFound } = page.value;
    const path = isNotFound ? '' : relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html');
    const item = (each: SiteVersion) => {
      const home = rootOf(base) + each.folder;
      const onClick = (event: MouseEvent) => void open(event, home);
      const current = each === own ? 'page' : undefined;
      const link = { href: home + path, target: '_self', 'aria-current': current, onClick } as const;
      return h('li', h('a', link, `v${each.version}`));
    };
    return h('nav', { class: 'versions', 'aria-label': lang.value === 'zh-CN' ? '版本' : 'Versions' }, [
      h('details', [h('summary', `v${own.version}`), h('ul', versions.map(item))]),
    ]);
  };
});

/** Opens the page of a link or, where that version does not have the page, its first page. */
async function open(event: MouseEvent, home: string): Promise<void> {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget as HTMLAnchorElement;
  const { ok } = await fetch(href, { method: 'HEAD' });
  location.assign(ok ? href : home);
}
