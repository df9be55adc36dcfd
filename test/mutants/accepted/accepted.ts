import { cli } from './cli.ts';
import { demo } from './demo.ts';
import { images } from './images.ts';
import { service } from './service.ts';
import { studio } from './studio.ts';
import { tasks } from './tasks.ts';

/** Changes that nobody can notice, or that no test of their room is to notice. */
export interface Accepted {
  file: string;
  /** The line on which they begin, without its indentation. */
  line: string;
  /** What stands there, and what would: `< -> <=`. */
  changes: readonly string[];
  reason: string;
}

/** Changes that are not made. */
export const accepted: readonly Accepted[] = [...cli, ...demo, ...images, ...service, ...studio, ...tasks];
