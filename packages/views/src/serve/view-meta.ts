import type { ToolView } from '@mcp/protocol';

/** An object of JSON. */
export type Meta = ToolView['toolMeta'];

/** Origins of which a view needs something, such as `https://tiles.example`. Hosts may refuse them. */
export type ViewCsp = {
  /** For requests: `fetch`, `XMLHttpRequest` and sockets. */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts and media. `https://*.example.com` is every subdomain. */
  readonly resourceDomains?: readonly string[];
  /** For nested frames. */
  readonly frameDomains?: readonly string[];
  /** For the base URI of the document. */
  readonly baseUriDomains?: readonly string[];
};

export type ViewPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** How a host has to show a view. */
export type ViewSettings = {
  /** Default: no network, and no nested frames. */
  readonly csp?: ViewCsp;
  /** What the view asks the browser for. A host need not grant it. Default: nothing. */
  readonly permissions?: readonly ViewPermission[];
  /** Whether the host draws a border and a background. Default: the host decides. */
  readonly prefersBorder?: boolean;
  /** The origin of the view, in the form that its host documents. Default: the host decides. */
  readonly domain?: string;
};

/** The lists of origins in the `csp` of a view. */
export const cspLists: readonly (keyof ViewCsp)[] = [
  'connectDomains',
  'resourceDomains',
  'frameDomains',
  'baseUriDomains',
];

const permissionNames: readonly string[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite'];

/** A scheme, a host name that may begin with `*.`, and perhaps a port: nothing that could end a directive. */
const originSyntax = /^(https?|wss?):\/\/(\*\.)?[a-zA-Z\d-]+(\.[a-zA-Z\d-]+)*(:\d{1,5})?$/;

/**
 * Whether a value is an origin of which a view may need something, such as `https://*.example.com`. A host
 * must write no other text into the policy of the page.
 */
export function isViewOrigin(value: unknown): value is string {
  return typeof value === 'string' && originSyntax.test(value);
}

/**
 * The `_meta.ui` of a view. Throws an `Error` for an invalid origin, because hosts would write it into
 * the policy of the page, and for a permission that does not exist.
 */
export function viewMeta(uri: string, settings: ViewSettings): Meta {
  const { csp, permissions, prefersBorder, domain } = settings;
  return {
    ...(csp && { csp: checkedCsp(uri, csp) }),
    ...(permissions && { permissions: asObject(uri, permissions) }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
}

function checkedCsp(uri: string, csp: ViewCsp): ViewCsp {
  for (const name of Object.keys(csp))
    if (!(cspLists as readonly string[]).includes(name))
      throw new Error(`The view "${uri}" has the unknown \`csp.${name}\`; expected ${cspLists.join(', ')}`);
  for (const list of cspLists) {
    const origins = csp[list] ?? [];
    refuseNoArray(`csp.${list}`, uri, origins);
    for (const origin of origins)
      if (!isViewOrigin(origin))
        throw new Error(
          `Invalid origin in \`csp.${list}\` of the view "${uri}": ${JSON.stringify(origin)}; ` +
            'expected one such as "https://tiles.example" or "https://*.example.com"',
        );
  }
  return csp;
}

function asObject(uri: string, permissions: readonly string[]): Meta {
  refuseNoArray('permissions', uri, permissions);
  for (const name of permissions)
    if (!permissionNames.includes(name))
      throw new Error(
        `Unknown permission of the view "${uri}": ${JSON.stringify(name)}; expected ${permissionNames.join(', ')}`,
      );
  return Object.fromEntries(permissions.map((name) => [name, {}]));
}

function refuseNoArray(name: string, uri: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new Error(`The \`${name}\` of the view "${uri}" must be an array of strings`);
}
