import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** Two files replace a module that the others use as it is. */
export default mergeConfig(shared, defineConfig({ test: { isolate: true } }));
