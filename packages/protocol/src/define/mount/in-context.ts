import type { Call } from '../call.ts';

/** Returns `call` with another context. */
export function inContext<Given extends Call>(call: Given, context: Given['context']): Given {
  return new Proxy(call, {
    get(target, name) {
      if (name === 'context') return context;
      const value: unknown = Reflect.get(target, name, target);
      // A method with private members cannot be called on the proxy.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
