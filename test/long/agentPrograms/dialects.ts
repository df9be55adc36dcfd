/** What a model says, or which tool it calls. */
export type Answer = string | { tool: string; input: Record<string, unknown> };

/** A call of a tool under the name by which the program offered it. */
interface Call {
  name: string;
  namespace?: string;
  input: Record<string, unknown>;
}

/** Puts a model's answer into the words of an API. */
export type Dialect = (
  request: { url: string; isStream: boolean },
  answer: string | Call,
) => { type: string; content: string };

let last = 0;
const newId = (): string => `id_${++last}`;

function asJson(value: unknown): ReturnType<Dialect> {
  return { type: 'application/json', content: JSON.stringify(value) };
}

function asEvents(values: readonly unknown[], end = ''): ReturnType<Dialect> {
  const lines = values.map((value) => `data: ${JSON.stringify(value)}\n\n`);
  return { type: 'text/event-stream', content: lines.join('') + end };
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** OpenAI's Responses API. */
function responses({ isStream }: { isStream: boolean }, answer: string | Call): ReturnType<Dialect> {
  const item =
    typeof answer === 'string'
      ? {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: answer, annotations: [] }],
        }
      : {
          type: 'function_call',
          call_id: newId(),
          name: answer.name,
          ...(answer.namespace !== undefined && { namespace: answer.namespace }),
          arguments: JSON.stringify(answer.input),
        };
  const output = [{ id: newId(), status: 'completed', ...item }];
  const response = { id: newId(), object: 'response', status: 'completed', model: 'scripted', output, usage };
  return isStream
    ? asEvents([
        { type: 'response.created', response: { ...response, output: [] } },
        { type: 'response.output_item.done', output_index: 0, item: output[0] },
        { type: 'response.completed', response },
      ])
    : asJson(response);
}

/** OpenAI's chat completions, which many speak. */
function chat({ isStream }: { isStream: boolean }, answer: string | Call): ReturnType<Dialect> {
  const isText = typeof answer === 'string';
  const message = {
    role: 'assistant',
    content: isText ? answer : null,
    ...(!isText && {
      tool_calls: [
        {
          index: 0,
          id: newId(),
          type: 'function',
          function: { name: answer.name, arguments: JSON.stringify(answer.input) },
        },
      ],
    }),
  };
  const finish_reason = isText ? 'stop' : 'tool_calls';
  const head = { id: newId(), created: 0, model: 'scripted' };
  const spent = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return isStream
    ? asEvents(
        [
          { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
          { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: spent },
        ],
        'data: [DONE]\n\n',
      )
    : asJson({
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage: spent,
      });
}

/** Google's. */
function gemini({ url }: { url: string }, answer: string | Call): ReturnType<Dialect> {
  const part =
    typeof answer === 'string'
      ? { text: answer }
      : { functionCall: { name: answer.name, args: answer.input } };
  const response = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return url.includes('alt=sse') ? asEvents([response]) : asJson(response);
}

export const dialects = { responses, chat, gemini } satisfies Record<string, Dialect>;
