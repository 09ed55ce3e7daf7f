// Opens the command palette, the list of shortcuts, and the calls of this page as command lines, from anywhere.
import { createHandlerSlot } from '../data/page-state.ts'

export type PaletteView = 'palette' | 'shortcuts' | 'terminal'
const showView = createHandlerSlot<(view: PaletteView) => void>()

export const showPalette = (): void => showView.get()?.('palette')
export const showShortcutList = (): void => showView.get()?.('shortcuts')
export const showTerminal = (): void => showView.get()?.('terminal')

/** Registers the function that shows them. */
export const onShowView = showView.register
