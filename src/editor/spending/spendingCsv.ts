import { imagesUnit } from '../../service/price.ts';
import type { SpendingRow } from './spendingTable.ts';

const header = [
  'day',
  'service',
  'model',
  'started_by',
  'images',
  'images_at_most',
  'cost',
  'cost_at_most',
  'currency',
];

/** Returns the table as CSV (RFC 4180), with decimal points whatever the language is. */
export function spendingCsv(rows: readonly SpendingRow[]): string {
  const lines = rows.map((row) => {
    const hasPrice = row.unit !== imagesUnit;
    return [
      isoDay(row.day),
      row.service,
      row.model,
      row.isByAgent ? 'agent' : 'person',
      String(row.billed),
      String(row.mostBilled),
      hasPrice ? decimal(row.about) : '',
      hasPrice ? decimal(row.atMost) : '',
      hasPrice ? row.unit : '',
    ];
  });
  return [header, ...lines].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}

/** Formats the local day of a time, `2026-01-31`. */
export function isoDay(time: number): string {
  const date = new Date(time);
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** Formats an amount without an exponent and without what floating point adds to it. */
function decimal(amount: number): string {
  return amount.toFixed(6).replace(/\.?0+$/u, '');
}

/** Quotes a field where it must be; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(text: string): string {
  const plain = /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
