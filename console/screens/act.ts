// What the command palette offers beside pages: acts, and where the things that it finds lead. Each screen declares its own in
// `acts.ts`, which is found by itself and loaded with the palette.
import type { SearchHit } from '../../core/search/contract.ts'
import type { Phrase } from '../data/texts.tsx'
import type { Screen } from './screen.ts'

export type HitKind = SearchHit['kind']

/** Leads to a page; `asked` is for the page to do there (`usePaletteAct`). */
export type Go = (path: string, asked?: string) => void

interface Offered {
  key: string
  title: Phrase
  access: Screen['access']
}

export interface PlainAct extends Offered {
  about?: undefined
  run(go: Go): void | Promise<void>
}

/** An act on one thing, which is asked for first. */
export interface ActOn extends Offered {
  about: HitKind
  run(go: Go, hit: SearchHit): void | Promise<void>
}

export type Act = PlainAct | ActOn

export interface Acts {
  acts: Act[]
  /** Where a thing that was found leads. */
  opens?: Partial<Record<HitKind, (hit: SearchHit, isAdmin: boolean) => string>>
}

/** Declares what a screen brings to the palette; the identity function, there for its types. */
export const declareActs = (declaration: Acts): Acts => declaration
