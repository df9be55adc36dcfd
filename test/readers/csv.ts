import { parse } from 'csv-parse/sync';
import * as v from 'valibot';

/** Reads CSV by the rules of RFC 4180: an unquoted quote or a line that is too short is an error. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: unknown = parse(text, { columns: true, record_delimiter: '\r\n', relax_quotes: false });
  return v.parse(v.array(v.record(v.string(), v.string())), rows);
}
