import type { FoundOperation } from '../document/operations.ts';
import type { Json } from '../document/place.ts';
import type { Argument, ArgumentPlace } from '../plan/argument.ts';
import type { Body } from '../plan/body.ts';
import type { Values } from '../options.ts';
import { type Given, pairsOf } from './given.ts';
import { headersOf } from './headers-of.ts';
import { refuseWithheld } from './refuse-withheld.ts';
import { urlOf } from './url-of.ts';

/** How the requests of one operation are made. */
export interface RequestPlan {
  readonly operation: FoundOperation;
  /** The URL that the path is appended to, without a slash at its end. */
  readonly base: string;
  /** All arguments by their names, also those that have a fixed value. */
  readonly named: ReadonlyMap<string, Argument>;
  /** The arguments that callers do not have. */
  readonly withheld: ReadonlySet<Argument>;
  readonly body: Body | undefined;
}

/** What the author adds to a request. */
export interface Additions {
  readonly headers: Values;
  readonly query: Values;
}

/** Makes the request of a call. Throws an `Error` with the argument whose value cannot be sent. */
export function buildRequest(plan: RequestPlan, args: Json, { headers, query }: Additions): Request {
  const all = Array.from(plan.named).flatMap(([name, argument]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return isAbsent(value, argument.place) ? [] : [{ name, argument, value }];
  });
  refuseWithheld(all, plan.withheld);
  const at = (place: ArgumentPlace) => all.filter(({ argument }) => argument.place === place);
  const url = urlOf(plan.base, plan.operation, { path: at('path'), query: at('query'), added: query });
  const sent = headersOf(at('header'), at('cookie'), headers);
  const body = plan.body && bodyText(plan.body, at('body'));
  if (plan.body && body !== undefined && !sent.has('content-type')) sent.set('content-type', plan.body.type);
  return new Request(url, {
    method: plan.operation.method,
    headers: sent,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
}

/** Whether a value is not sent. In a body, `null` is a value; in a path, it is refused as an empty one. */
function isAbsent(value: unknown, place: ArgumentPlace): boolean {
  return value === undefined || (value === null && place !== 'body' && place !== 'path');
}

function bodyText({ type, required, isFlat }: Body, given: readonly Given[]): string | undefined {
  if (given.length === 0 && !required) return undefined;
  if (type.startsWith('text/')) return given.map(({ value }) => String(value)).join('');
  if (/^application\/x-www-form-u/i.test(type)) {
    const present = given.filter(({ value }) => value !== null);
    return present.flatMap((each) => pairsOf(each) ?? []).join('&');
  }
  const whole = isFlat
    ? Object.fromEntries(given.map(({ argument, value }) => [argument.key, value]))
    : given[0]?.value;
  return JSON.stringify(whole);
}
