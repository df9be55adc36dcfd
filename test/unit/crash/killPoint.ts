import type { Fault } from '../../../src/demo/faults/faultCatalog.ts';
import type { Dice } from './dice.ts';

/** What a process asks the service for. */
export type Asked = 'post' | 'poll' | 'image';

/** When a process is killed. Times are in milliseconds. */
export type KillPoint =
  /** Just before a step, by its number among all steps or among those whose names begin with the same words. */
  | { when: 'before'; step: number; name?: string }
  /** So long after a step began. */
  | { when: 'after'; step: number; delay: number }
  /** So long after it was started. */
  | { when: 'time'; delay: number }
  /** So long after a request has arrived, which stays without an answer. */
  | { when: 'unanswered'; asked: Asked; delay: number }
  /** Once the service has accepted a POST, which stays without an answer. */
  | { when: 'accepted' }
  /** So long after an answer began, of which only the first half comes. */
  | { when: 'half'; asked: Asked; delay: number };

/** The faults that the service needs for it. */
export function faultsFor(killPoint: KillPoint): Partial<Fault>[] {
  switch (killPoint.when) {
    case 'unanswered':
      return [{ kind: 'stall', when: 'before', on: targets[killPoint.asked] }];
    case 'accepted':
      return [{ kind: 'stall', when: 'after' }];
    case 'half':
      return [{ kind: 'stall', when: 'body', on: targets[killPoint.asked] }];
    default:
      return [];
  }
}

const targets = { post: 'any', poll: 'query', image: 'image' } as const;

/** What a process is about to do for a task, in this order. */
export type Work = 'post' | 'poll' | 'fetch' | 'publish';

/** The names of the steps, see `steps.ts`. */
const stepNames = {
  post: ['send post', 'sent post', 'received post', 'done post'],
  poll: ['send poll', 'sent poll', 'received poll', 'done poll'],
  fetch: ['send image', 'sent image', 'received image', 'done image', 'open part', 'write', 'rename part'],
  publish: ['open temporary', 'unlink temporary', 'unlink arrived', 'sync', 'commit', 'remove folder'],
  link: ['link arrived to temporary', 'link temporary to other'],
  rename: ['write', 'open other', 'rename temporary to other'],
} as const;

/** What is known beforehand of a process. */
export interface Prospects {
  /** About so many steps. */
  steps: number;
  works: ReadonlySet<Work>;
  /** Whether the file system has links. */
  links: boolean;
}

/** Draws when a process is killed. */
export function drawKillPoint(dice: Dice, prospects: Prospects): KillPoint {
  const { steps, works } = prospects;
  const delay = dice.number(25);
  const asked = (['post', 'poll', 'image'] as const).filter((kind) =>
    works.has(kind === 'image' ? 'fetch' : kind),
  );
  const request = asked[dice.whole(0, asked.length - 1)];
  const kind = dice.number(100);
  if (kind < 20 || works.size === 0) {
    return { when: 'before', step: dice.whole(1, steps) };
  }
  if (kind < 62) {
    return { when: 'before', step: dice.whole(1, 2), name: drawName(dice, prospects) };
  }
  if (kind < 74) {
    return { when: 'after', step: dice.whole(1, steps), delay };
  }
  if (kind < 78 || !request) {
    return { when: 'time', delay: dice.number(600) };
  }
  if (kind < 87) {
    return { when: 'unanswered', asked: request, delay };
  }
  if (kind < 93 || !works.has('post')) {
    return { when: 'half', asked: request, delay };
  }
  return { when: 'accepted' };
}

/** Each kind of work is as likely as the others, however many steps it has. */
function drawName(dice: Dice, { works, links }: Prospects): string {
  const kinds = [...works, ...(works.has('publish') ? ([links ? 'link' : 'rename'] as const) : [])];
  const names = stepNames[kinds[dice.whole(0, kinds.length - 1)] ?? 'publish'];
  return names[dice.whole(0, names.length - 1)] ?? '';
}
