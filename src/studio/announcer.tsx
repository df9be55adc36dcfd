import type { JSX } from 'preact';
import { useRef, useState, useEffect } from 'preact/hooks';
import type { StudioTask } from './protocol/state.ts';
import { announcementOf } from './announcements.ts';
import { type StudioContext, tasksOf } from './store/studioStore.ts';

/** Announces the progress of the draft's tasks and the user's actions to screen readers. */
export function Announcer({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  const known = useRef(new Map<string, StudioTask>(tasksOf(store.state).map((task) => [task.id, task])));
  const [text, say] = useState('');
  const tasks = tasksOf(store.state);
  useEffect(() => {
    const news = tasks.flatMap((task) => announcementOf(known.current.get(task.id), task) ?? []);
    known.current = new Map(tasks.map((task) => [task.id, task]));
    if (news.length > 0) {
      say(news.join('. '));
    }
  });
  return (
    <div class="only-spoken">
      <p role="status">{text}</p>
      <p role="status">{store.state.announcement}</p>
    </div>
  );
}
