import { toJsonSchema } from '@valibot/to-json-schema';
import { styleFile } from '../../src/engine/operations/style.ts';

/** Returns the JSON schema of the files of styles, with descriptions for VS Code's completion and hovers. */
export function styleSchema(): object {
  const schema = toJsonSchema(styleFile);
  const { $schema: _, ...palette } = toJsonSchema(styleFile.entries.palette.wrapped);
  const { $schema: __, ...color } = toJsonSchema(styleFile.entries.palette.wrapped.pipe[0].item);
  return {
    ...schema,
    title: 'Style of images by Limner',
    // VS Code shows colors, and a picker for them.
    properties: { ...schema.properties, palette: { ...palette, items: { ...color, format: 'color' } } },
    defaultSnippets: [
      {
        label: 'Style',
        body: { after: '$1', size: '${2:1024x1024}', format: '${3:png}' },
      },
    ],
  };
}
