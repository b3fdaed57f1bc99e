import { closestNames, quoted } from '@mcp/kit';
import type { HttpOptions } from './endpoint.ts';

/** The names of options. The compiler compares them with those of the type. */
export type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

export const ofEndpoint: Names<HttpOptions> = {
  path: true,
  authorization: true,
  allowedHosts: true,
  allowedOrigins: true,
  passHeaders: true,
  sse: true,
  card: true,
  sealedSessions: true,
  endedSessions: true,
  shared: true,
  health: true,
  limits: true,
  onWarning: true,
};

/**
 * Throws an `Error` for an option of an unknown name: an author who writes `auth` means to protect the
 * server, which would be open without it.
 */
export function refuseUnknownOptions(of: string, names: object, options: object): void {
  for (const [name, value] of Object.entries<unknown>({ ...options })) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const [nearest] = closestNames(name, Object.keys(names), 1);
    const advice =
      nearest === undefined
        ? `; expected ${Object.keys(names).join(', ')}`
        : `; did you mean ${quoted(nearest)}?`;
    throw new Error(`\`${of}\` has no option ${quoted(name, 100)}${advice}`);
  }
}
