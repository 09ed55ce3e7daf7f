// A screen's declaration. Its route, menu entry, guard and page title all come from it.
import type { ComponentType } from 'react'
import type { PublicStatus } from '../../core/site/status.ts'
import type { TextKey } from '../data/texts.tsx'

/** The groups of the side menu, top to bottom; the first has no heading. */
export const MENU_GROUPS = ['start', 'console', 'admin', 'personal'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface SubmenuEntry {
  path: string
  label: string
}

export interface ScreenDeclaration {
  /** The path; the menu entry leads to the first one. */
  path: string | [string, ...string[]]
  title: TextKey
  icon: ComponentType
  access: 'public' | 'user' | 'admin'
  /** Signed-in users without access are redirected here, instead of seeing an error. */
  instead?: string
  /** The letter that leads here after `g`. */
  go?: string
  menu?: {
    group: MenuGroup
    order: number
    shownWhen?: (status: PublicStatus) => boolean
    /** Entries that expand below the menu entry, in their order; the entry itself then leads nowhere. */
    below?: (status: PublicStatus) => readonly SubmenuEntry[]
  }
  /** The screen fills its place: no padding around it. */
  plain?: boolean
  /** The screen has the whole window: no side menu. */
  alone?: boolean
  load: () => Promise<ComponentType>
}

/** Declares a screen; the identity function, used for its types. */
export const declareScreen = (declaration: ScreenDeclaration): ScreenDeclaration => declaration

export const listPaths = (declared: ScreenDeclaration): string[] => [declared.path].flat()
