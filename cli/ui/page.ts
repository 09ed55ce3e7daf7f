// What a page of `weir ui` is: one declaration of its rows, what can be done to them, and with which keys.
import type { WeirClient } from '../../core/contracts.ts'
import type { Language, Words } from '../../core/errors.ts'
import type { MoneyView } from '../format.ts'
import type { Said } from '../language.ts'
import type { Answers, Question } from '../parts/form-state.ts'
import type { View } from '../view.ts'
import type { Pulse } from './pulse.ts'

/** What pages may use. */
export interface Ports {
  client: WeirClient
  language: Language
  money: MoneyView
  pulse: Pulse
}

export interface Loaded<T> {
  rows: readonly T[]
  /** How many there are, where more than were loaded. */
  total: number
  /** A line above the table. */
  note?: Words
}

/** One act on a row: a command of weir, which says itself what has come of it. Every one says before what it will do. */
export interface UiAction<T> {
  key: string
  name: Words
  /** It makes or shows something where no row is needed. */
  rowless?: true
  /** What it tells is told this once: it stands until it is closed. */
  once?: true
  /** What is asked before, where something must be filled in. */
  form?(row: T, ports: Ports): Promise<readonly Question[]> | readonly Question[]
  /** Why it cannot be done to this row. */
  unless?(row: T): Words | undefined
  /** What it will do; one that only looks needs no yes. */
  sure?(row: T, answers: Answers, ports: Ports): Words | Promise<Words>
  /** The words behind `weir` that do it, none where there is nothing to do. `changed`: answers that are not what stood there. */
  command(row: T, answers: Answers, changed: Answers): readonly string[]
}

/** Lines that are opened with Enter: a title and its text each. */
export type Opened = readonly (readonly [title: Said, text: string])[]

export interface UiPage<T> {
  name: string
  title: Words
  view: View<T>
  /** Said where it has no rows. */
  empty: Words
  /** How often it is loaded anew while it is seen, in ms; 0: with each beat of the pulse. */
  every_ms: number
  /** The rows that a filter leaves; the server is asked where it can search. */
  load(ports: Ports, filter: string): Promise<Loaded<T>>
  actions: readonly UiAction<T>[]
  /** Tells a row from the others, however they move. */
  id(row: T): string | number
  /** What `y` copies. */
  copied(row: T): string
  /** More than the fields of its view. */
  opened?(ports: Ports, row: T): Promise<Opened>
  /** Lines above the table, as wide as they may be. */
  above?(ports: Ports, width: number): readonly string[]
}

/** A page as the screen keeps it: rows are known to their page alone. */
export type AnyPage = UiPage<never>

/** Declares a page, typed by its rows. */
export const uiPage = <T>(declaration: UiPage<T>): AnyPage => declaration as unknown as AnyPage

/** Does a filter leave what has these words? */
export const matches = (filter: string, ...parts: readonly (string | number | null | undefined)[]): boolean =>
  parts.join(' ').toLowerCase().includes(filter.trim().toLowerCase())

/** Flags with their values, each in one word: no value is taken for a flag. */
export const flags = (answers: Answers): string[] =>
  Object.entries(answers).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`)

/** Flags for what was changed, behind the words that change it; none where nothing was. */
export const editing = (words: readonly string[], changed: Answers): readonly string[] =>
  Object.keys(changed).length === 0 ? [] : [...words, ...flags(changed)]

/** The answers that were given. */
export const givenOf = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== ''))
