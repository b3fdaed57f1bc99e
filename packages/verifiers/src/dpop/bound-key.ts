import { isObject, quoted } from '@mcp/kit';
import type { Claims } from '../tokens/caller-of.ts';
import { TokenRefused } from '../tokens/token-refused.ts';

/**
 * The thumbprint of the key to which a token is bound (RFC 9449, section 6); undefined if it is not bound. A
 * token that is bound in another way (RFC 7800, RFC 8705) is refused, because this cannot be checked here.
 */
export function boundKeyOf({ cnf }: Claims): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt, ...others } = isObject(cnf) ? cnf : {};
  if (typeof jkt === 'string' && Object.keys(others).length === 0) return jkt;
  const names = Object.keys(isObject(cnf) ? cnf : {}).map((name) => quoted(name, 50));
  throw new TokenRefused(
    `The token is bound by ${names.slice(0, 5).join(', ') || 'an unknown "cnf"'}; expected "jkt" alone, or no binding`,
  );
}
