// A screen's declaration. Its route, menu entry, guard and page title all come from it.
import type { ComponentType } from 'react'
import type { Status } from '../../core/site/contract.ts'
import type { Phrase } from '../data/texts.tsx'

/** The groups of the side menu, top to bottom; the first has no heading. */
export const MENU_GROUPS = ['start', 'console', 'admin', 'personal'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Below {
  path: string
  label: string
}

export interface Screen {
  /** Where it lives; the first is where its menu entry leads. */
  path: string | [string, ...string[]]
  title: Phrase
  icon: ComponentType
  access: 'public' | 'user' | 'admin'
  /** Where those who are signed in and may not enter are led, instead of being told. */
  instead?: string
  /** The letter that leads here after a `g`. */
  go?: string
  menu?: {
    group: MenuGroup
    order: number
    shownWhen?: (status: Status) => boolean
    /** What unfolds below the entry, in its order; the entry leads nowhere itself then. */
    below?: (status: Status) => readonly Below[]
  }
  /** Fills its place: no padding around it. */
  plain?: boolean
  /** Has the window to itself: no side menu beside it. */
  alone?: boolean
  load: () => Promise<ComponentType>
}

/** Declares a screen; the identity function, there for its types. */
export const screen = (declaration: Screen): Screen => declaration

export const pathsOf = (declared: Screen): string[] => [declared.path].flat()
