import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type Answer, portVariable, type Question } from '../link.ts';

/** Connects to the bench, and answers what it asks by the methods of that name. */
export function answerBench(methods: object): void {
  const socket = connect(Number(process.env[portVariable]), '127.0.0.1');
  const answerTo = async ({ id, name, given }: Question): Promise<Answer> => {
    try {
      const method = Reflect.get(methods, name) as (...given: unknown[]) => unknown;
      return { id, value: await method.apply(methods, given) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  createInterface({ input: socket }).on('line', (line) => {
    void answerTo(JSON.parse(line) as Question).then((answer) => socket.write(`${JSON.stringify(answer)}\n`));
  });
}
