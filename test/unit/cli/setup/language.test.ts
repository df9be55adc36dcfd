import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languageAsked } from '../../../../src/cli/setup/language.ts';

describe('the language that the variables ask for', () => {
  for (const [locale, language] of Object.entries({
    '': undefined,
    C: undefined,
    'C.UTF-8': undefined,
    POSIX: undefined,
    en: undefined,
    'en_GB.UTF-8': undefined,
    '../../etc': undefined,
    'de/../fr': undefined,
    de: 'de',
    'de_AT.UTF-8': 'de',
    'de_DE.UTF-8@euro': 'de',
    'DE-ch': 'de',
    'ca_ES@valencia': 'ca',
    'pt_PT.UTF-8': 'pt-br',
    'pt_BR.UTF-8': 'pt-br',
    'zh_CN.GB18030': 'zh-cn',
    zh: 'zh-cn',
    'zh_SG.UTF-8': 'zh-cn',
    'zh_TW.UTF-8': 'zh-tw',
    'zh_HK.UTF-8': 'zh-tw',
    'zh_Hant_HK.UTF-8': 'zh-tw',
    'zh-Hans-SG': 'zh-cn',
  })) {
    it(`${locale || 'nothing'} means ${language ?? 'English'}`, () => {
      assert.equal(languageAsked({ LANG: locale }), language);
    });
  }

  it('is that of the first variable that is set, in the order of POSIX', () => {
    const [LC_ALL, LC_MESSAGES, LANG] = ['it_IT.UTF-8', 'fr_FR.UTF-8', 'de_DE.UTF-8'];
    assert.equal(languageAsked({ LC_ALL, LC_MESSAGES, LANG }), 'it');
    assert.equal(languageAsked({ LC_ALL: '', LC_MESSAGES, LANG }), 'fr');
    assert.equal(languageAsked({ LC_MESSAGES: '', LANG }), 'de');
    assert.equal(languageAsked({ LC_ALL: 'C', LC_MESSAGES, LANG }), undefined);
    assert.equal(languageAsked({ LC_MESSAGES: 'POSIX', LANG }), undefined);
    assert.equal(languageAsked({}), undefined);
  });
});
