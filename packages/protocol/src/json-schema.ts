export { checkedJsonSchema } from './schema/checked-json-schema.ts';
