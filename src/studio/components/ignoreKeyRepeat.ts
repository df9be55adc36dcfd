/** A key that is held presses a button once: some buttons cost money. */
export function oneActAPress(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) {
        event.preventDefault();
      }
    },
    true,
  );
}
