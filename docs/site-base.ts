/** The path below which the site is served: `SITE_BASE`, `/servers/` for example; defaults to `/`. */
export const siteBase = process.env['SITE_BASE'] ?? '/';

if (!/^\/(?:[\w.-]+\/)*$/.test(siteBase)) {
  throw new Error(`Invalid SITE_BASE: ${JSON.stringify(siteBase)}; expected a path such as "/servers/"`);
}

/** Where the site is served: `SITE_ORIGIN`, `https://mcp.example` for example; undefined if not known. */
export const siteOrigin = process.env['SITE_ORIGIN'];
