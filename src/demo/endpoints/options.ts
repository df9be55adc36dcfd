import { DEFAULT_ACCOUNTS, type Account } from '../http/accounts.ts';
import type { Fault } from '../faults/faultCatalog.ts';
import type { WeatherOptions } from '../faults/weather.ts';

export interface DemoServiceOptions {
  /** Port of the service; 0, the default, takes a free one. */
  port?: number;
  /** Port of the host that serves the results; 0, the default, takes a free one. */
  resultPort?: number;
  /** The time for which a task is in progress, in milliseconds. */
  taskDuration?: number;
  /** The least duration of a synchronous or native call, in milliseconds. */
  syncDuration?: number;
  /** The number of unfinished tasks that the managed queue takes before it answers 503. */
  capacity?: number;
  /** The number of tasks in progress at once. Others are queued. */
  workers?: number;
  /** `frozen` time passes only when it is advanced. */
  clock?: 'running' | 'frozen';
  accounts?: readonly Account[];
  faults?: readonly Fault[];
  /** Random faults from the start; by default none. */
  weather?: WeatherOptions | undefined;
}

export const DEFAULT_OPTIONS: Required<DemoServiceOptions> = {
  port: 0,
  resultPort: 0,
  taskDuration: 2500,
  syncDuration: 1500,
  capacity: 128,
  workers: 8,
  clock: 'running',
  accounts: DEFAULT_ACCOUNTS,
  faults: [],
  weather: undefined,
};
