/** How a request is sent, once `auto` has been decided. */
export const callStyles = ['async', 'sync', 'native', 'nativeStream'] as const;

export type CallStyle = (typeof callStyles)[number];

/** How a request may be set to be sent. */
export const callStyleSettings = ['auto', ...callStyles] as const;

export type CallStyleSetting = (typeof callStyleSettings)[number];

/** Whether it is a call of the second model family, which takes no image. */
export function isNative(style: CallStyleSetting): boolean {
  return style === 'native' || style === 'nativeStream';
}
