import { isObject } from '@mcp/kit';
import type { Values } from '../options.ts';

/** A value that the author adds to requests, with its name there. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Headers that say nothing that is worth hiding. */
const openHeaders = /^(?:accept(?:-.*)?|content-type|user-agent)$/i;
/** Names of parameters and headers whose values let somebody in. */
const credentialNames = /auth|token|secret|pass|pwd|key|cookie|sess|sid|cred|sign|jwt|appid/i;

/** What is not shown in errors: all that is added to a request. */
export function secretsOf(headers: Values, query: Values): Secret[] {
  const ofHeaders = Object.entries(headers).filter(([name]) => !openHeaders.test(name));
  return [...ofHeaders, ...Object.entries(query)].map(([name, value]) => ({ name, value }));
}

/** Those whose name is one of credentials. */
export function credentialsOf(secrets: readonly Secret[]): Secret[] {
  return secrets.filter(({ name }) => credentialNames.test(name));
}

/** The texts in fixed values, each with the name of the member or argument that has it. */
export function textsIn(name: string, value: unknown): Secret[] {
  if (typeof value === 'string') return [{ name, value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(name, item));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => textsIn(key, member)) : [];
}
