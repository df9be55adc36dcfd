/** The languages that Limner speaks besides English, as VS Code names them. */
export const languages = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'zh-cn', 'zh-tw'] as const;
