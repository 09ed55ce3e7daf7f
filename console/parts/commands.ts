// Opens the command palette, the list of shortcuts, and the calls of this page as command lines, from anywhere.

export type PaletteView = 'palette' | 'shortcuts' | 'terminal'
let show: ((shown: PaletteView) => void) | undefined

export const showPalette = (): void => show?.('palette')
export const showShortcutList = (): void => show?.('shortcuts')
export const showTerminal = (): void => show?.('terminal')

/** Registers the function that shows them. */
export function onShowView(shower: (shown: PaletteView) => void): () => void {
  show = shower
  return () => (show = undefined)
}
