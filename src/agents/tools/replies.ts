import { largestFinished } from '../../common/regularFile.ts';
import { asLimnerError, type ErrorRecord, messageOf } from '../../common/limnerError.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import { asSentence } from '../../common/text.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import type { AgentHost, Reply } from './agentHost.ts';
import { type CallFacts, refusalText, taskText } from './replyText.ts';

/** Longest side of a preview in a reply, in pixels. */
const pictureSide = 512;
const maxPictures = 4;

/** The file of a saved image. */
interface SavedFile {
  uri: string;
  path: string;
  isGone: boolean;
  note?: string;
}

export class Replies {
  readonly #host: AgentHost;

  constructor(host: AgentHost) {
    this.#host = host;
  }

  /** Returns the reply to a call without a task. */
  ofRefusal(error: unknown): Reply {
    return { text: refusalText(recordOf(error)), isError: true, pictures: [] };
  }

  /** Returns the reply to a call that failed after its task was created. @param path where its image goes */
  async ofTrouble(error: unknown, { id }: Task, path: string, facts: CallFacts): Promise<Reply> {
    const { store } = await this.#host.engine();
    const task = store.get(id);
    if (task) {
      return this.ofTask(task, { ...facts, trouble: recordOf(error) });
    }
    const { text, ...reply } = this.ofRefusal(error);
    return { ...reply, text: `${text}\nFile: ${path}\nTask: ${id}`, taskId: id };
  }

  async ofTask(task: Task, facts: CallFacts): Promise<Reply> {
    const saved = task.results.filter(
      (result): result is TaskResult & { uri: string } =>
        result.state === 'saved' && !result.discarded && result.uri !== undefined,
    );
    const all = await Promise.all(saved.map(async (result) => this.#look(result)));
    const files = all.filter(({ isGone }) => !isGone);
    const gone = all.flatMap(({ isGone, path }) => (isGone ? [path] : []));
    const notes = [...(facts.notes ?? []), ...all.flatMap(({ note = [] }) => note)];
    const waits = task.status === 'needs_key' || (task.held && facts.onWhite);
    const isOver = isTerminal(task.status) || waits || facts.trouble;
    return {
      text: taskText(task, this.#host, { ...facts, gone, notes }),
      isError: files.length === 0 && Boolean(isOver),
      taskId: task.id,
      pictures: facts.picture === false ? [] : await this.pictures(files.map(({ uri }) => uri)),
    };
  }

  /** Returns previews of the first images, without those that can't be read. @param side the longest, in pixels */
  async pictures(
    uris: readonly string[],
    most = maxPictures,
    side = pictureSide,
  ): Promise<Reply['pictures']> {
    const { codecs } = await this.#host.engine();
    const pictures = await Promise.all(
      uris.slice(0, most).map(async (uri) => {
        try {
          const bytes = await this.#host.read(uri, largestFinished);
          const small = bytes && (await (await codecs()).preview(bytes, side));
          return small ? [small] : [];
        } catch {
          return [];
        }
      }),
    );
    return pictures.flat();
  }

  /**
   * Looks for a saved image. If it can't be read, for example because another program has it open, it counts as there.
   */
  async #look({ uri }: TaskResult & { uri: string }): Promise<SavedFile> {
    const file = { uri, path: this.#host.nameOf(uri) };
    try {
      return { ...file, isGone: (await this.#host.sizeOf(uri)) === undefined };
    } catch (error) {
      const note = `${file.path} was saved, but could not be read again: ${asSentence(messageOf(error))}`;
      return { ...file, isGone: false, note };
    }
  }
}

/** Returns an error for the reply. One that says nothing about billing occurred before anything was sent. */
function recordOf(error: unknown): ErrorRecord & Required<Pick<ErrorRecord, 'billing'>> {
  return { billing: 'no', ...asLimnerError(error, messageOf(error)).toRecord() };
}
