import * as z from 'zod';

/** Whether an answer is a text or structured content; defaults to text. */
export const formatInput = z.enum(['text', 'json']).optional();

export type AnswerFormat = z.infer<typeof formatInput>;
