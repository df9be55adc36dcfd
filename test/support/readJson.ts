import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/**
 * Reads a JSON file.
 *
 * @throws Error when the file cannot be read or is not what `schema` says.
 */
export async function readJson<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  return v.parse(schema, JSON.parse(await readFile(path, 'utf8')));
}
