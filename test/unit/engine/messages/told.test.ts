import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inLanguage } from '../../../../src/engine/messages/language.ts';
import { firstTold, told } from '../../../../src/engine/messages/told.ts';

const german = {
  tag: 'de',
  texts: {
    'The disk is full./kept': 'Der Datenträger ist voll.',
    '{0}: {1}/kept': '{0} – {1}',
    "Didn't fetch the image from {0}: {1}./kept": 'Das Bild von {0} wurde nicht abgerufen: {1}.',
    'its address is not public/kept': 'seine Adresse ist nicht öffentlich',
    'The file {0} is damaged: {1}./kept': 'Beschädigt ({1}): {0}.',
    'The file {0} is damaged: {1}. Save it again./kept': 'Beschädigt ({1}): {0}. Neu speichern.',
    'Spent today: {0}./kept': 'Heute ausgegeben: {0}.',
    'The budget for a day is {0}./kept': 'Das Budget für einen Tag beträgt {0}.',
    '"{0}" was moved, changed, or deleted./kept': '„{0}“ wurde verschoben, geändert oder gelöscht.',
    'There is no task {0}. Run "{1}" to list the tasks./kept':
      'Es gibt keine Aufgabe {0}. „{1}“ listet die Aufgaben auf.',
    'The service said: {0}/kept': 'Der Dienst meldete: {0}',
    'The mask marks nothing.': 'Die Maske markiert nichts.',
    '{0} tasks': '{0} Aufgaben',
    Images: 'Bilder',
    'Not billed': 'Nicht abgerechnet',
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
    [
      'The disk is full. "a.png" was moved, changed, or deleted.',
      'Der Datenträger ist voll. „a.png“ wurde verschoben, geändert oder gelöscht.',
    ],
    // What another door words, and keeps in English for programs.
    ['The mask marks nothing.', 'Die Maske markiert nichts.'],
    // Commands, names, and the service's own words.
    [
      'There is no task 7. Run "limner tasks" to list the tasks.',
      'Es gibt keine Aufgabe 7. „limner tasks“ listet die Aufgaben auf.',
    ],
    ['The file Images is damaged: IEND.', 'Beschädigt (IEND): Images.'],
    ['The service said: Not billed', 'Der Dienst meldete: Not billed'],
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

  for (const [text, expected] of [
    ['The file a.png is damaged: IEND. Save it again.', 'Beschädigt (IEND): a.png'],
    ['The disk is full. No such model.', 'Der Datenträger ist voll'],
    ['No such model. The disk is full.', 'No such model'],
  ] as const) {
    it(`is told by its first sentence: ${text}`, () => {
      assert.equal(
        inLanguage(german, () => firstTold(text)),
        expected,
      );
    });
  }

  it('stays as it is in English', () => {
    assert.equal(told('The disk is full.'), 'The disk is full.');
  });
});
