// The settings of all packages of this repository: tests run the sources, after the program was built.
export { default } from '../../vitest.shared.ts';
