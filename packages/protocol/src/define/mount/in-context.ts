import type { Call } from '../call.ts';

/** Returns `call` with another context. */
export function inContext<Given extends Call>(call: Given, context: Given['context']): Given {
  return new Proxy(call, {
    get: (target, name) => (name === 'context' ? context : Reflect.get(target, name, target)),
  });
}
