import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { formidable } from 'formidable';
import { Response } from 'undici';

/** One part of a form: a field, or a file where there is a media type. */
export interface FormPart {
  name: string;
  content: Buffer;
  /** Of a file. */
  fileName?: string;
  mediaType?: string;
}

/** A form as it goes over the wire. */
export interface SentForm {
  contentType: string;
  body: Buffer;
}

/** Reads a form by undici, as `Response.formData` of browsers and Node does. */
export async function readByUndici({ contentType, body }: SentForm): Promise<FormPart[]> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, content: Buffer.from(value) }
        : {
            name,
            content: Buffer.from(await value.arrayBuffer()),
            fileName: value.name,
            mediaType: value.type,
          },
    ),
  );
}

/** Reads a form by busboy, which leaves names as they are written. */
export async function readByBusboy({ contentType, body }: SentForm): Promise<FormPart[]> {
  const parts: FormPart[] = [];
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    preservePath: true,
    limits: { fieldNameSize: 1e6, fieldSize: 1e9 },
  });
  parser.on('field', (name, value) => parts.push({ name, content: Buffer.from(value) }));
  parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
    const part = { name, content: Buffer.alloc(0), fileName, mediaType };
    parts.push(part);
    stream.on('data', (chunk: Buffer) => {
      part.content = Buffer.concat([part.content, chunk]);
    });
  });
  return new Promise((resolve, reject) => {
    parser.on('finish', () => resolve(parts));
    parser.on('error', reject);
    Readable.from([body]).pipe(parser);
  });
}

/** Reads a form by formidable in a server; fields come before files, and by name. */
export async function readByFormidable({ contentType, body }: SentForm): Promise<FormPart[]> {
  const contents = new Map<string, Buffer[]>();
  const form = formidable({
    allowEmptyFiles: true,
    minFileSize: 0,
    fileWriteStreamHandler: (file) => {
      const chunks: Buffer[] = [];
      contents.set(file?.toJSON().newFilename ?? '', chunks);
      return new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      });
    },
  });
  const parsed = Promise.withResolvers<FormPart[]>();
  const server = createServer((request, response) => {
    form
      .parse(request)
      .then(([fields, files]) => [
        ...Object.entries(fields).flatMap(([name, values = []]) =>
          values.map((value) => ({ name, content: Buffer.from(value) })),
        ),
        ...Object.entries(files).flatMap(([name, values = []]) =>
          values.map(({ newFilename, originalFilename, mimetype }) => ({
            name,
            content: Buffer.concat(contents.get(newFilename) ?? []),
            fileName: originalFilename ?? '',
            mediaType: mimetype ?? '',
          })),
        ),
      ])
      .then(parsed.resolve, parsed.reject)
      .finally(() => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const sent = fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': contentType, connection: 'close' },
      body: new Uint8Array(body),
    });
    const [parts] = await Promise.all([parsed.promise, sent]);
    return parts;
  } finally {
    server.close();
  }
}
