import type { LocaleSpecificConfig, DefaultTheme } from 'vitepress';

/**
 * The menus and labels of the site in Simplified Chinese. A page that is not translated is linked in English.
 */
export const chinese: LocaleSpecificConfig<DefaultTheme.Config> & { readonly label: string } = {
  label: '简体中文',
  lang: 'zh-CN',
  title: 'MCP 服务器',
  description: 'Model Context Protocol 服务器，可以直接运行或复制；以及编写你自己的服务器的软件包。',
  themeConfig: {
    nav: [
      { text: '上手', link: '/zh-CN/start' },
      { text: '服务器', link: '/servers/filesystem' },
      { text: '编写服务器', link: '/zh-CN/tutorial' },
      { text: '帮助', link: '/zh-CN/troubleshooting' },
    ],
    sidebar: [
      {
        text: '开始',
        items: [
          { text: '一分钟上手', link: '/zh-CN/start' },
          { text: '什么是 MCP', link: '/zh-CN/what-is-mcp' },
          { text: '故障排除', link: '/zh-CN/troubleshooting' },
          { text: '常见问题', link: '/zh-CN/faq' },
        ],
      },
      { text: '编写服务器', items: [{ text: '你的第一个服务器', link: '/zh-CN/tutorial' }] },
      {
        text: '更多（英文）',
        items: [
          { text: '文件系统服务器', link: '/servers/filesystem' },
          { text: 'Git 服务器', link: '/servers/git' },
          { text: 'SQLite 服务器', link: '/servers/sqlite' },
          { text: '天气服务器', link: '/servers/weather' },
          { text: '命令服务器', link: '/servers/run' },
        ],
      },
    ],
    outline: { level: [2, 3], label: '本页目录' },
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '外观',
    lightModeSwitchTitle: '切换到浅色主题',
    darkModeSwitchTitle: '切换到深色主题',
    sidebarMenuLabel: '目录',
    returnToTopLabel: '回到顶部',
    langMenuLabel: '切换语言',
    skipToContentLabel: '跳到正文',
    footer: { message: '以 MIT 许可证发布。' },
  },
};
