import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** The tests change the working directory, and count the child processes of their own process. */
export default mergeConfig(shared, defineConfig({ test: { isolate: true } }));
