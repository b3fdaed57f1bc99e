import type { XmcpConfig } from 'xmcp';

const config: XmcpConfig = {
  stdio: true,
  template: { name: 'todo', description: 'To-do lists' },
};

export default config;
