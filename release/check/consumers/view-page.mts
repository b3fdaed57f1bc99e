// A page of a view, with the types of the DOM.

import { connectView } from '@mcp/views/browser';
import { element } from '@mcp/views/dom';

const host = await connectView({
  name: 'clock',
  version: '1.0.0',
  onResult: ({ content: [first] }) => {
    if (first?.type === 'text') document.body.replaceChildren(element('p', {}, first.text));
  },
  window,
});
document.body.onclick = () => host.callTool('wind');
