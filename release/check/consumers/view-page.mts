// A page of a view, with the types of the DOM.

import { connectView } from '@mcp/views/browser';

const host = await connectView({
  name: 'clock',
  version: '1.0.0',
  onResult: ({ content: [first] }) => {
    if (first?.type === 'text') document.body.textContent = first.text;
  },
  window,
});
document.body.onclick = () => host.callTool('wind');
