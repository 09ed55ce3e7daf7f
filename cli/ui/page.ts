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

/** One act on a row. Every one says what it will do and waits for a yes. */
export interface UiAction<T> {
  key: string
  name: Words
  /** What is asked before, where something must be filled in. */
  form?(row: T, ports: Ports): Promise<readonly Question[]> | readonly Question[]
  /** Why it cannot be done to this row. */
  unless?(row: T): Words | undefined
  /** What it will do. */
  sure(row: T, answers: Answers): Words
  /** Does it; gives what has come of it. */
  run(ports: Ports, row: T, answers: Answers): Promise<Words>
}

/** Lines that are opened with Enter: a title and its text each. */
export type Opened = readonly (readonly [title: Said, text: string])[]

export interface UiPage<T> {
  name: string
  title: Words
  view: View<T>
  /** How often it is loaded anew while it is seen, in ms; 0: with each beat of the pulse. */
  every_ms: number
  /** The rows that a filter leaves; the server is asked where it can search. */
  load(ports: Ports, filter: string): Promise<Loaded<T>>
  actions: readonly UiAction<T>[]
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
