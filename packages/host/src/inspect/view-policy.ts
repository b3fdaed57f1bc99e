import { cspLists, isViewOrigin } from '@mcp/views';

type Json = { readonly [name: string]: unknown };

/** The permissions that a view may ask for, with their names in the attribute `allow` of a frame. */
const features: { readonly [permission: string]: string } = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/**
 * The policy of the frame of a view: it loads nothing but what its `csp` names, and only the page at the
 * origin `page` may show it. What is no origin is left out: it could end a directive.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function viewPolicy(csp: Json, page: string): string {
  const of = (list: (typeof cspLists)[number], otherwise = '') => {
    const origins = valuesOf(csp, list).filter(isViewOrigin);
    return origins.length > 0 ? origins.join(' ') : otherwise;
  };
  const resources = of('resourceDomains');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: blob: ${resources}`,
    `font-src data: ${resources}`,
    `media-src data: blob: ${resources}`,
    'worker-src blob:',
    `connect-src ${of('connectDomains', "'none'")}`,
    `frame-src ${of('frameDomains', "'none'")}`,
    `base-uri ${of('baseUriDomains', "'none'")}`,
    "form-action 'none'",
    `frame-ancestors ${page}`,
  ]
    .map((directive) => directive.trim())
    .join('; ');
}

/** What the `csp` of a view names that is no origin, each as a text for its author. */
export function refusedOrigins(csp: Json): readonly string[] {
  return cspLists.flatMap((list) =>
    valuesOf(csp, list)
      .filter((each) => !isViewOrigin(each))
      .map((each) => `csp.${list} has ${JSON.stringify(each)}, which is no origin and is left out`),
  );
}

/** The attribute `allow` of the frame of a view. */
export function allowedFeatures(permissions: Json): string {
  return Object.entries(features)
    .flatMap(([permission, feature]) => (permissions[permission] === undefined ? [] : [feature]))
    .join('; ');
}

function valuesOf(csp: Json, list: string): readonly unknown[] {
  const values = csp[list];
  return Array.isArray(values) ? values : [];
}
