// The settings of all packages of this repository: tests run the sources.
export { default } from '../../vitest.shared.ts';
