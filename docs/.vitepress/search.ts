import type { DefaultTheme } from 'vitepress';

/**
 * The settings of the search, which finds pages of the reader's language in the browser, without a server.
 */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    miniSearch: {
      options: {
        // Segments Chinese, which is written without spaces. VitePress sends the source of this function to
        // the browser, so it must not use anything outside itself.
        tokenize: (text) =>
          text
            .split(/[\s\p{P}\p{S}]+/u)
            .flatMap((word) =>
              /\p{Script=Han}/u.test(word)
                ? Array.from(
                    new Intl.Segmenter('zh', { granularity: 'word' }).segment(word),
                    (part) => part.segment,
                  )
                : word,
            ),
      },
      // Guides come before the reference, which has most of the words.
      searchOptions: { boostDocument: (id: string) => (id.includes('/reference/') ? 0.4 : 1) },
    },
    locales: {
      'zh-CN': {
        translations: {
          button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
          modal: {
            displayDetails: '显示详细列表',
            resetButtonTitle: '清除',
            backButtonTitle: '关闭',
            noResultsText: '没有找到',
            footer: {
              selectText: '选择',
              navigateText: '移动',
              closeText: '关闭',
              selectKeyAriaLabel: '回车键',
              navigateUpKeyAriaLabel: '向上键',
              navigateDownKeyAriaLabel: '向下键',
              closeKeyAriaLabel: 'Esc 键',
            },
          },
        },
      },
    },
  },
};
