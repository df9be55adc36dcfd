import * as v from 'valibot';
import type { Passage, Work } from './defineFault.ts';
import type { Target } from '../http/requestLog.ts';
import type { Reply } from '../http/reply.ts';
import * as amounts from './amounts.ts';
import * as files from './files.ts';
import * as reasons from './reasons.ts';
import * as shapes from './shapes.ts';
import * as taskIds from './taskIds.ts';
import * as waiting from './waiting.ts';

/** All habits that the demo service can take on. An image in an answer is always one that it painted and billed. */
export const HABITS = {
  ...amounts,
  // Images in other places of an answer.
  ...shapes,
  // Tasks that are named, or queried, in another way.
  ...taskIds,
  // Reasons in other places of an answer.
  ...reasons,
  // Images that arrive later than announced, or never.
  ...waiting,
  // Other files than PNG, JPEG and WebP, and unusual ones of these.
  ...files,
};

const Habit = v.variant(
  'name',
  Object.values(HABITS).map(({ schema }) => schema),
);

function definitionOf(habit: unknown): (typeof HABITS)[keyof typeof HABITS] {
  return HABITS[v.parse(Habit, habit).name];
}

const NOWHERE: readonly Target[] = [];

/** The kind of fault that switches on habits. The weather brings none of them. */
export const habit = {
  name: 'habit' as const,
  schema: Habit,
  drawnOn: NOWHERE,
  draw: (): object => ({}),
  applies: (habit: unknown, passage: Passage): boolean => definitionOf(habit).applies(habit, passage),
  apply: (habit: unknown, work: Work, passage: Passage): Reply | Promise<Reply> =>
    definitionOf(habit).apply(habit, work, passage),
};
