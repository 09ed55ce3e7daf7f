// Opens the command palette, the list of shortcuts, and what this page has asked as command lines, from wherever.

export type Shown = 'palette' | 'shortcuts' | 'terminal'
let show: ((shown: Shown) => void) | undefined

export const showPalette = (): void => show?.('palette')
export const showShortcuts = (): void => show?.('shortcuts')
export const showTerminal = (): void => show?.('terminal')

/** Takes over the showing. */
export function onShow(shower: (shown: Shown) => void): () => void {
  show = shower
  return () => (show = undefined)
}
