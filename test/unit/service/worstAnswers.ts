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

/** Answers to a query of at most 1 MB, by what they are full of. */
export function worstAnswers(apiKey: string): Readonly<Record<string, WorstAnswer>> {
  const escaped = Array.from(apiKey.slice(0, -1), (character) => `\\\\${character}`).join('');
  const answers: Record<string, string> = {
    'backslashes in a text': working(`"note":"${filled('\\\\')}"`),
    'beginnings of the key': working(`"note":"${filled(apiKey.slice(0, -1))}"`),
    'beginnings of the key, escaped': working(`"note":"${filled(escaped)}"`),
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
    'descriptions of pictures': `{"id":"task_1","status":"completed","data":[${filled(`{"url":"x","revised_prompt":"${'狐 '.repeat(2100)}"},`)}{}]}`,
    'words of an error': `{"id":"task_1","status":"failed","error":{"message":"${filled('insufficient______async')}"}}`,
    'errors within errors': `{"id":"task_1","status":"failed","error":{"message":[${filled('[[{}],[{}]],')}7]}}`,
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
    ...Object.fromEntries(Object.entries(answers).map(([name, body]) => [name, { status: 200, body }])),
    ...Object.fromEntries(Object.entries(errors).map(([name, body]) => [name, { status: 500, body }])),
  };
}
