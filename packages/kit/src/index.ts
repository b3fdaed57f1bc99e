export { closestNames } from './closest-names.ts';
export { isObject } from './is-object.ts';
