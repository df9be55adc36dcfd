import type { StudioHandlers } from './answerRequest.ts';
import type { StudioPanel } from './studioPanel.ts';
import { submit } from './submit.ts';
import { targetPreview } from './targetPreview.ts';

/** What the studio can do, by the methods of its protocol. */
export function studioHandlers(studio: StudioPanel): StudioHandlers {
  const { limner, draft } = studio;
  return {
    async saveDraft({ changes }) {
      await draft.change(changes);
      return targetPreview(limner, draft);
    },
    submit: async () => submit(studio),
  };
}
