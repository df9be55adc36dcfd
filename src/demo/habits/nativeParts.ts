import * as v from 'valibot';
import type { Passage } from '../faults/defineFault.ts';
import { gather, type Reply } from '../http/reply.ts';
import { changed, JsonObject, Picture } from './pictures.ts';

const Answer = v.looseObject({
  candidates: v.tuple([v.looseObject({ content: v.looseObject({ parts: v.array(JsonObject) }) })]),
});
const ImagePart = v.object({ inlineData: v.object({ data: v.string() }) });

/** Changes the parts of a native answer, and of every answer of a native stream. */
export function changedParts(
  reply: Reply,
  passage: Passage,
  change: (part: JsonObject, picture: Picture | undefined) => JsonObject | JsonObject[],
): Promise<Reply> {
  return changedAnswers(reply, (value) => {
    const answer = v.parse(Answer, value);
    const [candidate] = answer.candidates;
    const parts = candidate.content.parts.flatMap((part) => change(part, pictureIn(part, passage)));
    return { ...answer, candidates: [{ ...candidate, content: { ...candidate.content, parts } }] };
  });
}

async function changedAnswers(reply: Reply, change: (answer: JsonObject) => object): Promise<Reply> {
  if (reply.headers['content-type'] === 'application/json') {
    return changed(reply, change);
  }
  const { status, headers, body } = await gather(reply);
  const events = Buffer.concat(body)
    .toString()
    .split('\r\n\r\n')
    .filter((event) => event !== '')
    .map((event) => v.parse(JsonObject, JSON.parse(event.replace(/^data: /u, ''))))
    .map((answer) =>
      Buffer.from(`data: ${JSON.stringify('candidates' in answer ? change(answer) : answer)}\r\n\r\n`),
    );
  return { status, headers, body: events };
}

function pictureIn(part: JsonObject, passage: Passage): Picture | undefined {
  const image = v.safeParse(ImagePart, part);
  return image.success
    ? new Picture(Buffer.from(image.output.inlineData.data, 'base64'), passage)
    : undefined;
}
