/** Returns a time zone in which it is about noon: no day and no month ends while a test runs. */
export function middayZone(): string {
  const offset = 12 - new Date().getUTCHours();
  // The signs of these names are the reverse of what everybody else writes.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
