import type { ComponentChildren, JSX } from 'preact';

/** Attributes that tie a control to its label and its notes. */
export interface FieldIds {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

interface FieldProps {
  id: string;
  label: string;
  /** A hint below the control. */
  note?: string | undefined;
  /** An error below the control. */
  problem?: string | undefined;
  /** Content at the end of the label's line. */
  aside?: ComponentChildren;
  children: (ids: FieldIds) => ComponentChildren;
}

/** Shows a control with its label above and its notes below. */
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

/** Shows notes below a control; `problem` is announced as soon as it appears. */
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
