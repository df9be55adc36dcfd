import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { undoAtExit } from '../../support/cleanup.ts';
import { type Answer, type Dialect, dialects } from './dialects.ts';

/** What a model is given in a turn that it was not given before. */
export interface Turn {
  /** All texts, and what else is a string. */
  words: string;
  /** Media types of pictures that it is shown as pictures. */
  pictures: string[];
}

/** What a model does in a turn: at once, or when the test lets it. */
export type Move = Answer | ((turn: Turn) => Answer | Promise<Answer>);

const pictureUrl = /^data:(?<type>image\/\w+);base64,(?<data>[\w+/=]+)$/u;
const part = v.object({ mimeType: v.string(), data: v.string() });

/** A model on loopback that makes the moves of a script, one in each turn in which it has tools. */
export class ScriptedModel {
  readonly turns: Turn[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #dialect: Dialect;
  readonly #moves: readonly Move[];
  readonly #known = new Set<string>();
  #origin = '';

  private constructor(dialect: Dialect, moves: readonly Move[]) {
    this.#dialect = dialect;
    this.#moves = moves;
  }

  static async open(dialect: keyof typeof dialects, moves: readonly Move[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(dialects[dialect], moves);
    const { promise, resolve } = Promise.withResolvers<void>();
    model.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = model.#server.address();
    model.#origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    undoAtExit(() => model.#server.close());
    return model;
  }

  get origin(): string {
    return this.#origin;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method } = request;
    const body: unknown = method === 'POST' ? JSON.parse(await text(request)) : {};
    const tools = method === 'POST' ? toolsIn(body) : [];
    let answer: Answer = 'Fine.';
    // Others ask for a title, or which models there are.
    if (tools.length > 0) {
      const turn = this.#read(body);
      this.turns.push(turn);
      const move = this.#moves[this.turns.length - 1] ?? 'There is nothing left to do.';
      answer = typeof move === 'function' ? await move(turn) : move;
    }
    const { tool: wanted, input } = typeof answer === 'string' ? {} : answer;
    const tool = tools.find(({ name }) => name.endsWith(wanted ?? '?'));
    const said = typeof answer === 'string' ? answer : `There is no ${wanted}.`;
    const { type, content } = this.#dialect(
      { url, isStream: v.is(v.object({ stream: v.literal(true) }), body) },
      tool && input ? { ...tool, input } : said,
    );
    response.writeHead(200, { 'content-type': type }).end(content);
  }

  /** Returns what is new in a request. */
  #read(body: unknown): Turn {
    const turn: Turn = { words: '', pictures: [] };
    const look = (value: unknown): void => {
      if (typeof value === 'string') {
        const isNew = !this.#known.has(value);
        this.#known.add(value);
        const { type } = pictureUrl.exec(value)?.groups ?? {};
        if (isNew && type !== undefined) {
          turn.pictures.push(type);
        } else if (isNew) {
          turn.words += `${value}\n`;
        }
      } else if (v.is(part, value)) {
        look(`data:${value.mimeType};base64,${value.data}`);
      } else if (typeof value === 'object' && value !== null) {
        Object.values(value).forEach(look);
      }
    };
    look(body);
    return turn;
  }
}

export interface OfferedTool {
  name: string;
  namespace?: string;
}

const named = v.object({ name: v.string() });
const holder = v.object({ tools: v.array(v.unknown()) });

/** Returns Limner's tools in a request, wherever a dialect has them. */
function toolsIn(body: unknown): OfferedTool[] {
  const look = (value: unknown, namespace?: string): OfferedTool[] => {
    if (typeof value !== 'object' || value === null) {
      return [];
    }
    if (v.is(named, value) && /limner_[a-z_]+$/u.test(value.name) && !v.is(holder, value)) {
      return [{ name: value.name, ...(namespace !== undefined && { namespace }) }];
    }
    const within = v.is(named, value) && v.is(holder, value) ? value.name : namespace;
    return Object.values(value).flatMap((one) => look(one, within));
  };
  return v.is(holder, body) ? look(body.tools) : [];
}
