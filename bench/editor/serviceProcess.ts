import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';

/** What the service tells of, with its time in Unix milliseconds. */
export interface ServiceEvent {
  /** A prompt has arrived; the task is completed; the answer that says so is on its way. */
  name: 'posted' | 'completed' | 'told';
  at: number;
}

/** `service.ts` in a process of its own. */
export class ServiceProcess {
  readonly baseUrl: string;
  readonly #child: ChildProcess;
  readonly #events = new EventEmitter();

  static async start(): Promise<ServiceProcess> {
    const child = fork(join(import.meta.dirname, 'service.ts'));
    const [baseUrl] = (await once(child, 'message')) as [string];
    return new ServiceProcess(child, baseUrl);
  }

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
    child.on('message', ({ name, at }: ServiceEvent) => this.#events.emit(name, at));
  }

  /** Waits for an event that is still to come. @returns when it was */
  async next(name: ServiceEvent['name']): Promise<number> {
    const [at] = (await once(this.#events, name)) as [number];
    return at;
  }

  stop(): void {
    this.#child.kill();
  }
}

/** Settings with a service and its one model. */
export function settingsFor({ baseUrl }: ServiceProcess): Record<string, unknown> {
  return {
    'limner.baseUrl': baseUrl,
    'limner.models': [{ id: 'bench', family: 'image' }],
    'limner.model': 'bench',
  };
}
