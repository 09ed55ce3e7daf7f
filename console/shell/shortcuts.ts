// The global keyboard shortcuts, declared once: pressed keys are looked up here, and `?` shows this list. Shortcuts are
// off while the user is typing, and while a dialog or a menu is open.
import type { Phrase } from '../data/texts.tsx'
import { listPaths, type Screen } from '../screens/screen.ts'

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

export interface Shortcut {
  /** One after the other, as `KeyboardEvent.key` names them; `Mod` is Ctrl or ⌘. */
  keys: readonly string[]
  title: Phrase
  /** undefined if the browser or the focused element handles the key; it is only listed then. */
  run?(): void
}

interface Doing {
  screens: readonly Screen[]
  go(path: string): void
  showPalette(): void
  showShortcuts(): void
  showTerminal(): void
}

export const buildShortcuts = ({ screens, go, showPalette, showShortcuts, showTerminal }: Doing): Shortcut[] => [
  { keys: ['Mod+k'], title: { en: 'Find anything, do anything', zh: '查找或执行任何操作' }, run: showPalette },
  { keys: ['?'], title: { en: 'Show this list', zh: '查看此列表' }, run: showShortcuts },
  ...screens.flatMap((screen): Shortcut[] =>
    screen.go
      ? [
          {
            keys: ['g', screen.go],
            title: { en: `Go to ${screen.title.en}`, zh: `前往${screen.title.zh}` },
            run: () => go(listPaths(screen)[0]!),
          },
        ]
      : [],
  ),
  { keys: ['t'], title: { en: 'The same in the terminal', zh: '在终端中执行同样的操作' }, run: showTerminal },
  { keys: ['/'], title: { en: 'Search this list', zh: '搜索此列表' }, run: () => toField() },
  { keys: ['n'], title: { en: 'Create', zh: '新建' }, run: () => clickElement('[aria-keyshortcuts="n"]') },
  { keys: ['j'], title: { en: 'Next row', zh: '下一行' }, run: () => stepRow(1) },
  { keys: ['k'], title: { en: 'Previous row', zh: '上一行' }, run: () => stepRow(-1) },
  { keys: ['Enter'], title: { en: 'Open the row', zh: '打开该行' }, run: () => toRow()?.click() },
  { keys: ['x'], title: { en: 'Select the row', zh: '选择该行' }, run: () => clickElement('input.check', toRow()) },
  {
    keys: ['.'],
    title: { en: 'More acts of the row', zh: '该行的更多操作' },
    run: () => clickElement('.more-button', toRow()),
  },
  { keys: ['Escape'], title: { en: 'Close what lies on top', zh: '关闭最上层的窗口' } },
  { keys: ['Mod+Enter'], title: { en: 'Save what is filled in', zh: '保存已填写的内容' } },
  { keys: ['Mod+z'], title: { en: 'Undo, while its message stands', zh: '在提示消失前撤销' } },
]

/** Formats a key press the way shortcuts are declared. */
export const describeKeyPress = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key

function toField() {
  document.querySelector<HTMLElement>('main [role=search] input')?.focus()
}
