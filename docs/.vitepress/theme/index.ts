// Pages use the fonts of the reader's system, so that no font is downloaded.
import { type EnhanceAppContext, useData, withBase } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { defineComponent, h } from 'vue';
import { nameOf, programOfPage } from '../../playground/programs.ts';
import { Tour } from './tour.ts';
import { Versions } from './versions.ts';
import './style.css';

/** The link from a page to its program in the playground. */
const PlaygroundLink = defineComponent(() => {
  const { page, lang } = useData();
  return () => {
    const found = programOfPage(page.value.relativePath);
    if (!found) return undefined;
    const href = `${withBase('/playground/')}?example=${nameOf(found.page)}`;
    const ofPage = lang.value === 'zh-CN' ? '在这里运行本页的服务器' : 'Run this page’s server here';
    const label = 'label' in found ? found.label : ofPage;
    const link = h('a', { class: 'playground-link', href, target: '_self' }, `▷ ${label}`);
    return h('aside', { 'aria-label': 'Playground' }, link);
  };
});

export default {
  ...theme,
  enhanceApp: ({ app }: EnhanceAppContext) => void app.component('Tour', Tour),
  Layout: () =>
    h(theme.Layout, null, {
      'doc-before': () => h(PlaygroundLink),
      'nav-bar-content-before': () => h(Versions),
    }),
};
