import * as v from 'valibot';
import { defineHabit } from './defineFault.ts';
import { jsonReply } from '../http/reply.ts';
import { prefersAsync } from '../http/requestBody.ts';
import type { Task } from '../http/taskQueue.ts';
import { answerOf } from './pictures.ts';

interface Acceptance {
  status: number;
  body: object;
  headers?: Record<string, string>;
  /** The only path to query the task; by default, the documented one. */
  path?: string;
}

/** Defines a habit of accepting a task in another way. */
function acceptance<const Name extends string, const Entries extends v.ObjectEntries>(
  name: Name,
  parameters: Entries,
  accept: (id: string, parameters: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => Acceptance,
) {
  return defineHabit(name, {
    on: ['generations', 'edits'],
    parameters,
    applies: (_, { request }) => prefersAsync(request.headers['prefer']),
    apply: async (given, work, { queue }) => {
      const id = String((await answerOf(await work()))['id']);
      const { status, body, headers, path } = accept(id, given);
      const task: Task | undefined = queue.find(id);
      if (task !== undefined && path !== undefined) {
        task.path = path;
      }
      return jsonReply(status, body, headers);
    },
  });
}

/** 200 by default; some gateways say 202. */
const status = { status: v.optional(v.picklist([200, 202]), 200) };

/** Calls the id `task_id` (DashScope and others: modelstudioai/cli#184). */
export const taskId = acceptance('taskId', status, (id, { status }) => ({
  status,
  body: { task_id: id, status: 'submitted' },
}));

/** Puts the id into `data.task_id` (QuantumNous/new-api#4711). */
export const dataTaskId = acceptance('dataTaskId', status, (id, { status }) => ({
  status,
  body: { code: 'success', message: '', data: { task_id: id } },
}));

/** Puts the id into `data[0].task_id` (apimart: Wangnov/gpt-image-2-skill#40). */
export const dataListTaskId = acceptance('dataListTaskId', status, (id, { status }) => ({
  status,
  body: { code: 200, data: [{ status: 'submitted', task_id: id }] },
}));

/** Puts the id into `output.task_id` (modelstudioai/cli#184). */
export const outputTaskId = acceptance('outputTaskId', status, (id, { status }) => ({
  status,
  body: { request_id: '5f7a1c2e', output: { task_id: id, task_status: 'PENDING' } },
}));

/** Names the task only in `Location`, at another path than the documented one (QuantumNous/new-api#4711). */
export const locationOnly = acceptance('locationOnly', {}, (id) => ({
  status: 202,
  body: {},
  headers: { location: elsewhere(id) },
  path: elsewhere(id),
}));

/** Names the task only in `Location`, at an origin that must not learn the key; the documented path works. */
export const locationAbroad = acceptance('locationAbroad', {}, (id) => ({
  status: 202,
  body: {},
  headers: { location: `https://tasks.invalid${elsewhere(id)}` },
}));

/** Serves tasks at another path without announcing it (apimart: Wangnov/gpt-image-2-skill#40). */
export const otherTaskPath = acceptance('otherTaskPath', {}, (id) => ({
  status: 202,
  body: { id, status: 'queued' },
  path: elsewhere(id),
}));

function elsewhere(id: string): string {
  return `/v1/tasks/${id}`;
}
