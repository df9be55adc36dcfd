import type { Accepted } from './accepted.ts';
import { cli } from './cli.ts';
import { demo } from './demo.ts';
import { images } from './images.ts';
import { service } from './service.ts';
import { studio } from './studio.ts';
import { tasks } from './tasks.ts';

/** Changes that are not made. */
export const accepted: readonly Accepted[] = [...cli, ...demo, ...images, ...service, ...studio, ...tasks];
