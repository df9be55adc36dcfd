import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../../../../src/engine/messages/language.ts';
import { told } from '../../../../src/engine/messages/told.ts';

const german = {
  tag: 'de',
  texts: {
    'The disk is full.': 'Der Datenträger ist voll.',
    '{0}: {1}': '{0} – {1}',
    "Didn't fetch the image from {0}: {1}.": 'Das Bild von {0} wurde nicht abgerufen: {1}.',
    'its address is not public': 'seine Adresse ist nicht öffentlich',
    'The file {0} is damaged: {1}.': 'Beschädigt ({1}): {0}.',
    'The file {0} is damaged: {1}. Save it again.': 'Beschädigt ({1}): {0}. Neu speichern.',
    'Spent today: {0}.': 'Heute ausgegeben: {0}.',
    'The budget for a day is {0}.': 'Das Budget für einen Tag beträgt {0}.',
  },
};

describe('a text that was kept in English', () => {
  for (const [text, expected] of [
    ['The disk is full.', 'Der Datenträger ist voll.'],
    [
      "Didn't fetch the image from a.example: its address is not public.",
      'Das Bild von a.example wurde nicht abgerufen: seine Adresse ist nicht öffentlich.',
    ],
    ['The file a$1.png is damaged: IEND.', 'Beschädigt (IEND): a$1.png.'],
    // The one that says the most.
    ['The file a.png is damaged: IEND. Save it again.', 'Beschädigt (IEND): a.png. Neu speichern.'],
    [
      'The budget for a day is 0.50 USD. Spent today: 2 images.',
      'Das Budget für einen Tag beträgt 0.50 USD. Heute ausgegeben: 2 images.',
    ],
    // The service's own words.
    ['error: no such model', 'error: no such model'],
    ['', ''],
  ] as const) {
    it(`is told in another language: ${text}`, () => {
      assert.equal(
        inLanguage(german, () => told(text)),
        expected,
      );
    });
  }

  it('stays as it is in English', () => {
    assert.equal(told('The disk is full.'), 'The disk is full.');
  });
});
