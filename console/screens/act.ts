// The declarations of a screen for the command palette: acts, and the pages of search results. They are in `acts.ts`,
// which is found by its name and loaded with the palette.
import type { SearchResultRow } from '../../core/search/contract.ts'
import type { Language, Translate } from '../data/texts.tsx'
import type { ScreenDeclaration } from './screen.ts'

export type HitKind = SearchResultRow['kind']

/** Leads to a page; `act` names what the page should do there (`usePaletteAct`). */
export type NavigateToPage = (path: string, act?: string) => void

interface Offered {
  key: string
  title(t: Translate, language: Language): string
  access: ScreenDeclaration['access']
}

export interface PlainAct extends Offered {
  about?: undefined
  run(go: NavigateToPage): void | Promise<void>
}

/** An act on one item, which the user chooses first. */
export interface ItemAct extends Offered {
  about: HitKind
  run(go: NavigateToPage, hit: SearchResultRow): void | Promise<void>
}

export type PaletteAct = PlainAct | ItemAct

export interface ScreenActs {
  acts: PaletteAct[]
  /** The pages that search results lead to. */
  opens?: Partial<Record<HitKind, (hit: SearchResultRow, isAdmin: boolean) => string>>
}

/** Declares what a screen adds to the palette; the identity function, used for its types. */
export const declareActs = (declaration: ScreenActs): ScreenActs => declaration
