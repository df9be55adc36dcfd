import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isoDay, spendingCsv } from '../../../../src/editor/spending/spendingCsv.ts';
import type { SpendingRow } from '../../../../src/editor/spending/spendingTable.ts';
import { readCsv } from '../../../readers/csv.ts';

const day = new Date(2026, 0, 31).getTime();

function row(changes: Partial<SpendingRow> = {}): SpendingRow {
  return {
    day,
    service: 'https://images.example.com',
    model: 'painter-1',
    isByAgent: false,
    billed: 4,
    mostBilled: 5,
    about: 0.16,
    atMost: 0.2,
    unit: 'USD',
    ...changes,
  };
}

describe('the table of what was spent', () => {
  it('has a line for each row, and amounts with a decimal point', () => {
    const rows = [row(), row({ unit: 'images', isByAgent: true, about: 4, atMost: 5 })];
    assert.equal(
      spendingCsv(rows),
      [
        'day,service,model,started_by,images,images_at_most,cost,cost_at_most,currency',
        '2026-01-31,https://images.example.com,painter-1,person,4,5,0.16,0.2,USD',
        '2026-01-31,https://images.example.com,painter-1,agent,4,5,,,',
        '',
      ].join('\r\n'),
    );
  });

  it('is read by another program as it was written, whatever models are called', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', ' ', 'a', '\t', '=', '-') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ model: text, unit: text }), { maxLength: 5 }), (drawn) => {
        const read = readCsv(spendingCsv(drawn.map(row)));
        assert.deepEqual(
          read.map(({ model = '' }) => model.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/u, '')),
          drawn.map(({ model }) => model),
        );
      }),
    );
  });

  for (const model of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '=HYPERLINK("http://x","y")',
  ]) {
    it(`holds no formula: ${JSON.stringify(model)}`, () => {
      const [read] = readCsv(spendingCsv([row({ model, service: model, unit: model })]));
      for (const field of [read?.['model'], read?.['service'], read?.['currency']]) {
        assert.equal(field, `'${model}`);
      }
    });
  }

  it('names days as the person counts them', () => {
    assert.equal(isoDay(new Date(2026, 11, 31, 23, 59).getTime()), '2026-12-31');
    assert.equal(isoDay(new Date(2027, 0, 1).getTime()), '2027-01-01');
  });
});
