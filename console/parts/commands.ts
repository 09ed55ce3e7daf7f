// Opens the command palette, the list of shortcuts, and the calls of this page as command lines, from anywhere.

export type CommandView = 'palette' | 'shortcuts' | 'terminal'
let show: ((shown: CommandView) => void) | undefined

export const showPalette = (): void => show?.('palette')
export const showShortcuts = (): void => show?.('shortcuts')
export const showTerminal = (): void => show?.('terminal')

/** Registers the function that shows them. */
export function onShow(shower: (shown: CommandView) => void): () => void {
  show = shower
  return () => (show = undefined)
}
