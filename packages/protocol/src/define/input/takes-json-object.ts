import type { In } from '../../schema/schema.ts';

type NoJson = Date | bigint | symbol | Map<never, never> | Set<never> | ((...args: never) => unknown);

/** The names of the members whose types JSON cannot represent, such as dates and functions. */
type NoJsonIn<Value> = Value extends unknown
  ? {
      [Name in keyof Value]-?: unknown extends Value[Name]
        ? never
        : [Extract<Value[Name], NoJson>] extends [never]
          ? never
          : Name;
    }[keyof Value]
  : never;

/** Accepts only schemas of objects whose members all have types that JSON can represent. */
export type TakesJsonObject<Input> =
  unknown extends In<Input>
    ? unknown
    : [In<Input>] extends [readonly unknown[]]
      ? { readonly 'the arguments are an object': never }
      : [In<Input>] extends [object]
        ? [NoJsonIn<In<Input>>] extends [never]
          ? unknown
          : { readonly 'JSON has no such value': NoJsonIn<In<Input>> }
        : { readonly 'the arguments are an object': never };
