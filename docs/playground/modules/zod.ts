export * from 'zod';
export { z as default } from 'zod';
