// The declaration of a page of `weir ui`: its rows, the actions on them, and their keys.
import type { WeirClient } from '../../core/contracts.ts'
import type { Language, Words } from '../../core/errors.ts'
import type { MoneyView } from '../output/format.ts'
import type { BilingualText } from '../language.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import type { OutputView } from '../output/view.ts'
import type { CallPulse } from './pulse.ts'

/** The dependencies of pages. */
export interface UiPagePorts {
  client: WeirClient
  language: Language
  money: MoneyView
  pulse: CallPulse
}

export interface LoadedRows<T> {
  rows: readonly T[]
  /** Total number of rows, if more exist than were loaded. */
  total: number
  /** Line above the table. */
  note?: Words
}

/** One action on a row: a command of weir that reports its own result. Every action describes itself before it runs. */
export interface UiAction<T> {
  key: string
  name: Words
  /** true if it needs no row. */
  rowless?: true
  /** true if its command names another page and the filter there, instead of a command of weir. */
  opensPage?: true
  /** true if its result is more than a sentence: several lines are then shown as a page, not as one line at the foot. */
  detailed?: true
  /** true if its output is shown only once, so that it stays until closed. */
  once?: true
  /** true if its questions are the fields of the row: they are then shown in one list with their values. */
  edits?: true
  /** Returns the questions to answer first, if there are any. */
  form?(row: T, ports: UiPagePorts): Promise<readonly FormQuestion[]> | readonly FormQuestion[]
  /** Returns why it cannot be done to this row; undefined if it can. */
  unless?(row: T): Words | undefined
  /** Returns the description to confirm; a read-only action has none. */
  sure?(row: T, answers: FormAnswers, ports: UiPagePorts): Words | Promise<Words>
  /**
   * Returns the words after `weir`; empty if there is nothing to do. `changed`: answers that differ from the initial
   * ones.
   */
  command(row: T, answers: FormAnswers, changed: FormAnswers): readonly string[]
}

/** Details opened with Enter: a title and a text each. */
export type OpenedDetails = readonly (readonly [title: BilingualText, text: string])[]

export interface UiPage<T> {
  name: string
  title: Words
  view: OutputView<T>
  /** Text shown without rows. */
  empty: Words
  /** Reload interval while it is shown, in ms; 0 for every beat of the driver. */
  every_ms: number
  /** Fields of the filter that `load` understands; the other fields of the view are filtered by afterwards. */
  filters?: readonly string[]
  /** Loads the rows that match a filter; the server filters if it supports that. */
  load(ports: UiPagePorts, filter: string): Promise<LoadedRows<T>>
  actions: readonly UiAction<T>[]
  /** Identifies a row, even after it moves. */
  id(row: T): string | number
  /** Returns the text that `y` copies. */
  copied(row: T): string
  /** Returns details in addition to the fields of its view. */
  opened?(ports: UiPagePorts, row: T): Promise<OpenedDetails>
  /** Returns lines above the table, at most `width` wide. */
  above?(ports: UiPagePorts, width: number): readonly string[]
}

/** A page as the screen stores it: only the page itself knows its row type. */
export type AnyPage = UiPage<never>

/** Declares a page, typed by its rows. */
export const declareUiPage = <T>(declaration: UiPage<T>): AnyPage => declaration as unknown as AnyPage

/** Returns whether any of the parts contains the filter. */
export const matchesFilter = (filter: string, ...parts: readonly (string | number | null | undefined)[]): boolean =>
  parts.join(' ').toLowerCase().includes(filter.trim().toLowerCase())

/** Formats flags with their values as one word each, so that no value is taken for a flag. */
export const formatFlagWords = (answers: FormAnswers): string[] =>
  Object.entries(answers).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`)

/** Appends flags to the command; empty if there are none. */
export const appendFlags = (words: readonly string[], flags: readonly string[]): readonly string[] =>
  flags.length === 0 ? [] : [...words, ...flags]

/** Returns the answers that are not empty. */
export const listGivenAnswers = (answers: FormAnswers): FormAnswers =>
  Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== ''))
