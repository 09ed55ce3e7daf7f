// The keys of `weir ui`, declared once with their action, help and footer texts. Keys that act on a row are declared by
// its page.
import { words, type Words } from '../../core/errors.ts'
import type { Key } from '../parts/keys.ts'

export interface KeyBinding {
  /** Name for people. */
  shown: string
  keys: readonly string[]
  help: Words
  /** Text for the footer, if there is room. */
  foot?: Words
}

export const BINDINGS = {
  up: { shown: '↑ k', keys: ['up', 'k'], help: words('one row up', '上一行') },
  down: { shown: '↓ j', keys: ['down', 'j'], help: words('one row down', '下一行') },
  pageUp: { shown: 'PgUp', keys: ['pageUp'], help: words('one screen up', '上一屏') },
  pageDown: { shown: 'PgDn', keys: ['pageDown', ' '], help: words('one screen down', '下一屏') },
  first: { shown: 'g Home', keys: ['home', 'g'], help: words('first row', '第一行') },
  last: { shown: 'G End', keys: ['end', 'G'], help: words('last row', '最后一行') },
  previous: { shown: '←', keys: ['left'], help: words('previous page', '上一页面') },
  next: { shown: '→', keys: ['right'], help: words('next page', '下一页面') },
  open: { shown: 'Enter', keys: ['enter'], help: words('open the row', '打开此行'), foot: words('open', '打开') },
  filter: { shown: '/', keys: ['/'], help: words('filter the rows', '筛选'), foot: words('filter', '筛选') },
  command: {
    shown: ':',
    keys: [':'],
    help: words('go to a page, or run any command of weir', '转到页面，或运行任意 weir 命令'),
    foot: words('command', '命令'),
  },
  copy: { shown: 'y', keys: ['y'], help: words('copy the name', '复制名称'), foot: words('copy', '复制') },
  reload: { shown: 'r', keys: ['r'], help: words('load again', '重新加载') },
  mouse: {
    shown: 'M',
    keys: ['M'],
    help: words('mouse on or off; while it is on, Shift marks text', '开关鼠标；开启时按住 Shift 选择文本'),
  },
  help: { shown: '?', keys: ['?'], help: words('all keys', '所有按键'), foot: words('keys', '按键') },
  unfilter: { shown: 'Esc', keys: ['back'], help: words('close, or clear the filter', '关闭或清除筛选') },
  quit: { shown: 'q', keys: ['q'], help: words('leave', '退出'), foot: words('quit', '退出') },
} as const satisfies Record<string, KeyBinding>

export type Binding = keyof typeof BINDINGS

/** Finds the action of a key that works on every page. */
export function bindingOf(key: Key): Binding | undefined {
  const typed = typeof key === 'object' ? key.character : key
  return (Object.keys(BINDINGS) as Binding[]).find((name) => (BINDINGS[name].keys as readonly string[]).includes(typed))
}
