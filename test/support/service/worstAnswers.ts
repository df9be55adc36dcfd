/** An answer that would take long to read, were it read carelessly. */
export interface WorstAnswer {
  status: number;
  body: string;
}

const text = 1024 * 1024 - 64;
const page = 64 * 1024;

function filled(piece: string, length = text): string {
  return piece.repeat(Math.floor(length / piece.length));
}

function working(fields: string): string {
  return `{"id":"task_1","status":"in_progress",${fields}}`;
}

/** Pictures of which each stands in the object of another one, and a long text in the last. */
function nested(depth: number): string {
  const texts = Array.from({ length: 15 }, () => 'x'.repeat(60_000));
  return `${'{"b64_json":"AAAA","more":'.repeat(depth)}${JSON.stringify(texts)}${'}'.repeat(depth)}`;
}

function parts(...all: readonly string[]): string {
  return `{"candidates":[{"content":{"parts":[${all.join(',')}]}}]}`;
}

/** Answers of at most 1 MB, to a query or any other call, by what they are full of. */
export function worstAnswers(apiKey: string): Readonly<Record<string, WorstAnswer>> {
  const escaped = Array.from(apiKey.slice(0, -1), (character) => `\\\\${character}`).join('');
  const answers: Record<string, string> = {
    'backslashes in a text': working(`"note":"${filled('\\\\')}"`),
    'beginnings of the key': working(`"note":"${filled(apiKey.slice(0, -1))}"`),
    'beginnings of the key, escaped': working(`"note":"${filled(escaped)}"`),
    'beginnings of the key in many texts': `{"id":"task_1","status":"failed","error":{"message":["${Array.from({ length: 50 }, () => filled(escaped, 19_900)).join('","')}"]}}`,
    'characters as in a page': working(`"note":"${filled('&#00000')}"`),
    'a state without end': `{"id":"task_1","status":"${filled('\\u202e ')}"}`,
    'an id without end': `{"id":"${filled('x')}","status":"queued"}`,
    'an id of digits': `{"id":${filled('7')},"status":"queued"}`,
    'progress without end': working(`"progress":"${filled('1')}"`),
    numbers: working(`"note":[${filled('1,')}1]`),
    'empty lists': working(`"note":[${filled('[],')}[]]`),
    'empty objects': working(`"data":[${filled('{},')}{}]`),
    'empty texts': working(`"note":["${filled('","')}"]`),
    keys: working(Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join(',')),
    'addresses of pictures': `{"id":"task_1","status":"completed","data":[${filled('{"url":"x"},')}{}]}`,
    'pictures of one byte': `{"id":"task_1","status":"completed","data":[${filled('{"b64_json":"AAAA"},')}{}]}`,
    'pictures within pictures': `{"id":"task_1","status":"completed","data":[${nested(90)}]}`,
    'escapes in a picture': `{"id":"task_1","status":"completed","data":[{"b64_json":"${filled('\\n')}"}]}`,
    'descriptions of pictures': `{"id":"task_1","status":"completed","data":[${filled(`{"url":"x","revised_prompt":"${'狐 '.repeat(2100)}"},`)}{}]}`,
    'words of an error': `{"id":"task_1","status":"failed","error":{"message":"${filled('insufficient______async')}"}}`,
    'objects in an error': `{"id":"task_1","status":"failed","error":{"message":[${filled(`{"a":"${'x'.repeat(5000)}"},`)}7]}}`,
    'errors within errors': `{"id":"task_1","status":"failed","error":{"message":[${filled('[[{}],[{}]],')}7]}}`,
  };
  const native: Record<string, string> = {
    'parts of a model': parts(...Array.from({ length: 9000 }, () => `{"text":"${'x'.repeat(100)}"}`)),
    'texts of a model': parts(...Array.from({ length: 60 }, () => `{"text":"${'a\u0301'.repeat(4000)}"}`)),
    'answers in a list': `[${filled('{"message":"Not now."},', 200_000)}{}]`,
    'events of a stream': filled('data:{"message":"Not now."}\n\n'),
    'lines of an event': filled('data:1\n', 100_000),
    'comments of a stream': filled(':\n'),
  };
  const errors: Record<string, string> = {
    'beginnings of tags': filled('<', page),
    'beginnings of titles': filled('<title', page),
    scripts: filled('<script>', page),
    'backslashes in an error': filled('\\', page),
    'brackets in an error': filled('[', page),
    'underscores in an error': `insufficient${filled('_', page)}`,
    'words of a channel': filled('async', page),
    'errors in a list': `{"errors":[${filled('{},', page - 20)}{}]}`,
    'details of an error': `{"error":{"details":[${filled('{},', page - 40)}{}]}}`,
  };
  return {
    ...Object.fromEntries(
      Object.entries({ ...answers, ...native }).map(([name, body]) => [name, { status: 200, body }]),
    ),
    ...Object.fromEntries(Object.entries(errors).map(([name, body]) => [name, { status: 500, body }])),
  };
}
