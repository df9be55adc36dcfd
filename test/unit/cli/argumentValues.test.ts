import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  callStyle,
  collect,
  editStyle,
  duration,
  margin,
  multiples,
  point,
  positive,
  size,
} from '../../../src/cli/commands/argumentValues.ts';

/** What an option takes, with what it means, and what it refuses. */
const options: [string, (value: string) => unknown, [string, unknown][], string[]][] = [
  [
    'a number',
    positive,
    [
      ['1', 1],
      ['20', 20],
      ['007', 7],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    ['0', '-1', '1.5', '1e3', '0x10', ' 2', '2 ', '2n', '', '9007199254740993'],
  ],
  [
    'a size',
    size,
    [
      ['1x1', '1x1'],
      ['1024x768', '1024x768'],
    ],
    ['0x9', '9x0', '09x9', '9x09', '9', '9x', 'x9', '9 x 9', '9X9', ' 9x9', '9x9 ', '9x9x9', '-9x9', '9.5x9'],
  ],
  [
    'a point',
    point,
    [
      ['0,1', { x: 0, y: 1 }],
      ['1,0', { x: 1, y: 0 }],
      ['0.25,.5', { x: 0.25, y: 0.5 }],
      ['.5 , 0.25', { x: 0.5, y: 0.25 }],
      ['1.0,1.00', { x: 1, y: 1 }],
    ],
    [
      '',
      '0.5',
      '0.5,',
      ',0.5',
      '0.5;0.5',
      '1.1,0',
      '0,1.1',
      '2,0',
      '0,2',
      '-0.1,0',
      '00.5,0',
      '.5,.5,.5',
      'x.5,.5',
    ],
  ],
  [
    'a duration',
    duration,
    [
      ['90', 90_000],
      ['90s', 90_000],
      ['1.5m', 90_000],
      ['10m', 600_000],
      ['1h', 3_600_000],
      ['500h', 1_800_000_000],
    ],
    ['', '0', '0s', '-1s', '1d', '1h30', 'm', '501h', '9'.repeat(20), 'Infinity', '1e3'],
  ],
  [
    'a margin',
    margin,
    [
      ['8', { margin: 8, unit: 'px' }],
      ['8px', { margin: 8, unit: 'px' }],
      ['0px', { margin: 0, unit: 'px' }],
      ['5%', { margin: 5, unit: '%' }],
      ['12.5%', { margin: 12.5, unit: '%' }],
    ],
    ['', 'px', '%', '8 px', '8em', '8pxx', '-8px', '.5%', '5.%', '5%5', 'a8px'],
  ],
  [
    'what is rounded up to',
    multiples,
    [
      ['16', 16],
      ['powerOfTwo', 'powerOfTwo'],
    ],
    ['', '8', '016', 'poweroftwo'],
  ],
  [
    'a call style',
    callStyle,
    ['auto', 'async', 'sync', 'native', 'nativeStream'].map((style) => [style, style]),
    ['', 'Auto', 'fast'],
  ],
  [
    'a call style of an edit',
    editStyle,
    ['auto', 'async', 'sync'].map((style) => [style, style]),
    ['', 'Auto', 'fast', 'native', 'nativeStream'],
  ],
];

describe('an option of the command line', () => {
  for (const [which, parse, taken, refused] of options) {
    it(`that is ${which} takes it as it is meant`, () => {
      assert.deepEqual(
        taken.map(([value]) => parse(value)),
        taken.map(([, meaning]) => meaning),
      );
    });

    it(`that is ${which} refuses all else as a mistake of usage`, () => {
      for (const value of refused) {
        assert.throws(
          () => parse(value),
          { name: 'InvalidArgumentError', code: 'commander.invalidArgument' },
          value,
        );
      }
    });
  }

  it('says what can be entered instead', () => {
    assert.throws(() => multiples('8'), { message: 'Use one of 16 or powerOfTwo.' });
    assert.throws(() => callStyle('fast'), {
      message: 'Use one of auto, async, sync, native, or nativeStream.',
    });
    assert.throws(() => editStyle('fast'), { message: 'Use one of auto, async, or sync.' });
    assert.throws(() => editStyle('nativeStream'), {
      message: "Native calls don't support input images. For an edit, use one of auto, async, or sync.",
    });
  });

  it('may be repeated, where it is an image', () => {
    const one = collect('boat.png', undefined);
    assert.deepEqual([one, collect('lake.png', one)], [['boat.png'], ['boat.png', 'lake.png']]);
  });
});
