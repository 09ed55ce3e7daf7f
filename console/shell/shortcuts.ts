// The global keyboard shortcuts, declared once: pressed keys are looked up here, and `?` shows this list. Shortcuts are
// off while the user is typing, and while a dialog or a menu is open.
import type { Translate } from '../data/texts.tsx'
import { listPaths, type ScreenDeclaration } from '../screens/screen.ts'

// Keyboard navigation in the rows of the list on the page: the focused row and its neighbors.

const ROWS = 'main table.rows > tbody:not([aria-hidden]) > tr:first-child, main ul.cards > li'

export const toRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null

/** Focuses the next row or the previous one; the first if the focus is outside. */
export function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = toRow()
  const row = here ? rows[rows.indexOf(here) + by] : rows[0]
  if (!row) return
  row.tabIndex = -1
  row.focus({ focusVisible: true } as FocusOptions)
  row.scrollIntoView({ block: 'nearest' })
}

/** Clicks the element, if it exists. */
export const clickElement = (selector: string, within: ParentNode | null = document): void =>
  within?.querySelector<HTMLElement>(selector)?.click()

export interface KeyboardShortcut {
  /** One after the other, as `KeyboardEvent.key` names them; `Mod` is Ctrl or ⌘. */
  keys: readonly string[]
  title(t: Translate): string
  /** undefined if the browser or the focused element handles the key; it is only listed then. */
  run?(): void
}

interface Doing {
  screens: readonly ScreenDeclaration[]
  go(path: string): void
  showPalette(): void
  showShortcuts(): void
  showTerminal(): void
}

export const buildShortcuts = ({
  screens,
  go,
  showPalette,
  showShortcuts,
  showTerminal,
}: Doing): KeyboardShortcut[] => [
  { keys: ['Mod+k'], title: (t) => t('Find anything, do anything'), run: showPalette },
  { keys: ['?'], title: (t) => t('Show this list'), run: showShortcuts },
  ...screens.flatMap((screen): KeyboardShortcut[] =>
    screen.go
      ? [
          {
            keys: ['g', screen.go],
            title: (t) => t('Go to {screen}', { screen: t(screen.title) }),
            run: () => go(listPaths(screen)[0]!),
          },
        ]
      : [],
  ),
  { keys: ['t'], title: (t) => t('The same in the terminal'), run: showTerminal },
  { keys: ['/'], title: (t) => t('Search this list'), run: () => toField() },
  { keys: ['n'], title: (t) => t('Create'), run: () => clickElement('[aria-keyshortcuts="n"]') },
  { keys: ['j'], title: (t) => t('Next row'), run: () => stepRow(1) },
  { keys: ['k'], title: (t) => t('Previous row'), run: () => stepRow(-1) },
  { keys: ['Enter'], title: (t) => t('Open the row'), run: () => toRow()?.click() },
  { keys: ['x'], title: (t) => t('Select the row'), run: () => clickElement('input.check', toRow()) },
  {
    keys: ['.'],
    title: (t) => t('More actions for the row'),
    run: () => clickElement('.more-button', toRow()),
  },
  { keys: ['Escape'], title: (t) => t('Close the topmost panel') },
  { keys: ['Mod+Enter'], title: (t) => t('Save what is filled in') },
  { keys: ['Mod+z'], title: (t) => t('Undo (while its message is shown)') },
]

/** Formats a key press the way shortcuts are declared. */
export const describeKeyPress = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key

function toField() {
  document.querySelector<HTMLElement>('main [role=search] input')?.focus()
}
