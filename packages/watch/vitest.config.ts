import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** Runs each test file in isolation, because two of them mock a module that the others use unmocked. */
export default mergeConfig(shared, defineConfig({ test: { isolate: true } }));
