import './field.css';
import type { ComponentChildren, JSX } from 'preact';

/** What ties a control to its label and to what is said about it. */
export interface FieldIds {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

interface FieldProps {
  /** Of the control. */
  id: string;
  label: string;
  /** What should be known about it. */
  note?: string | undefined;
  /** What is wrong with it. */
  problem?: string | undefined;
  /** Stands at the end of the line of the label. */
  aside?: ComponentChildren;
  children: (ids: FieldIds) => ComponentChildren;
}

/** A control with its label above and what is to be said about it below. */
export function Field({ id, label, note, problem, aside, children }: FieldProps): JSX.Element {
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': `${id}-notes`, 'aria-invalid': problem !== undefined })}
      <Notes id={`${id}-notes`} note={note} problem={problem} />
    </div>
  );
}

/** What is said below a control; `problem` is told as soon as it appears. */
export function Notes({ id, note, problem }: Pick<FieldProps, 'id' | 'note' | 'problem'>): JSX.Element {
  return (
    <div class="notes" id={id}>
      {note !== undefined && <p>{note}</p>}
      <p class="wrong" role="status">
        {problem}
      </p>
    </div>
  );
}
