import * as v from 'valibot';
import { defineHabit } from './defineFault.ts';
import { jsonReply } from '../http/reply.ts';
import { prefersAsync } from '../http/requestBody.ts';
import { changed } from './pictures.ts';

/** Requires a key for its images (Mintplex-Labs/anything-llm#6425). */
export const keyedImages = defineHabit('keyedImages', {
  on: ['image'],
  parameters: {},
  apply: () => jsonReply(401, { error: 'Authentication is required.' }, { 'www-authenticate': 'Bearer' }),
});

/** Refuses its images to everyone (Mintplex-Labs/anything-llm#6425). */
export const forbiddenImages = defineHabit('forbiddenImages', {
  on: ['image'],
  parameters: {},
  apply: () => ({
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: [
      Buffer.from(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      ),
    ],
  }),
});

/** Calls a task completed before its images exist, for `times` queries (basketikun/infinite-canvas#232). */
export const completedFirst = defineHabit('completedFirst', {
  on: ['query'],
  parameters: {},
  applies: (_, { task }) => task === 'completed',
  apply: async (_, work) => changed(await work(), (task) => ({ ...task, data: undefined })),
});

/** Lists images of a task in progress, at 100 %, for `times` queries (openai/codex#28422). */
export const imagesFirst = defineHabit('imagesFirst', {
  on: ['query'],
  parameters: {},
  applies: (_, { task }) => task === 'completed',
  apply: async (_, work) => changed(await work(), (task) => ({ ...task, status: 'in_progress' })),
});

/** Calls a task `NOT_START` when it is accepted, and `unknown` until it ends (QuantumNous/new-api#5045). */
export const otherStates = defineHabit('otherStates', {
  on: ['generations', 'edits', 'query'],
  parameters: { accepted: v.optional(v.string(), 'NOT_START'), open: v.optional(v.string(), 'unknown') },
  applies: (_, { target, task, request }) =>
    target === 'query'
      ? task === 'queued' || task === 'in_progress'
      : prefersAsync(request.headers['prefer']),
  apply: async ({ accepted, open }, work, { target }) =>
    changed(await work(), (task) => ({ ...task, status: target === 'query' ? open : accepted })),
});
