/**
 * Lets the page, and the workers that it starts from now on, load nothing but the modules below `base`. So a
 * program sends nothing. In the worker of a blob, `'self'` would not be the address of the page.
 */
export function forbidNetwork(base: string): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = [
    "default-src 'none'",
    // SQLite is WebAssembly, which can call nothing but what its module passes to it.
    `script-src ${base} blob: 'wasm-unsafe-eval'`,
    `worker-src ${base} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  document.head.append(policy);
}
