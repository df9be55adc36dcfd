/** Returns the environment variables that make a folder the home of a process, and of what it keeps. */
export function homeVariables(folder: string): Record<string, string> {
  return { HOME: folder, USERPROFILE: folder, LOCALAPPDATA: folder, XDG_DATA_HOME: folder };
}
