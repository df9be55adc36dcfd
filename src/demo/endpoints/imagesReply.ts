import type { EncodedImage } from '../state/imageHost.ts';
import type { Reply } from '../http/reply.ts';
import type { Service } from './service.ts';
import { revisePrompt, type Submission } from './imageRequest.ts';

/** The synchronous answer: `created` and `data[].b64_json` (docs/service.md, "Synchronous answer"). */
export function imagesReply(
  { clock }: Service,
  { model, order }: Submission,
  images: readonly EncodedImage[],
): Reply {
  const revised =
    model.family === 'image' ? `"revised_prompt":${JSON.stringify(revisePrompt(order.prompt))},` : '';
  const data = images.flatMap(({ bytes }, index) => [
    Buffer.from(`${index === 0 ? '' : ','}{${revised}"b64_json":"`),
    Buffer.from(bytes.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(`{"created":${Math.floor(clock.now() / 1000)},"data":[`), ...data, Buffer.from(']}')],
  };
}
