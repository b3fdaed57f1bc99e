/**
 * Documents of clients that many people use, by their URLs, as they were published in September 2026. They
 * are used only while the URL has no document for us: sites that demand a browser refuse programs. All
 * redirects lead to the publisher of the document, or to the computer of the user.
 */
export const knownDocuments: {
  readonly [url: string]: { readonly client_name: string; readonly redirect_uris: readonly string[] };
} = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
  },
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  'https://chatgpt.com/oauth/client.json': {
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
};
