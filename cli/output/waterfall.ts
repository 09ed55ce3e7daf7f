// The attempts of a call as a waterfall of characters: start, waiting time and answering time of each.
import stringWidth from 'fast-string-width'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import type { Language, Words } from '../../core/errors.ts'
import { formatTableLines, type TableCell, type TableColumn, type CellTone } from './table.ts'
import { GAP } from './table-columns.ts'
import { words } from '../texts.ts'
import { formatMilliseconds } from './view.ts'

export type ExplainedAttempt = ChargeExplanation['attempts'][number]

const WAITING = '░'
const ANSWERING = '█'
const MAX_BAR_WIDTH = 60
const MIN_BAR_WIDTH = 12
const DEFAULT_WIDTH = 100

const RESULTS: Record<ExplainedAttempt['result'], Words> = {
  answered: words('answered'),
  failed: words('failed'),
  abandoned: words('caller left'),
}
const TONES: Record<ExplainedAttempt['result'], CellTone> = { answered: 'good', failed: 'bad', abandoned: 'careful' }
const TITLES = [
  words('CHANNEL'),
  words('PROVIDER MODEL'),
  words('STATUS'),
  words('TOOK'),
  words('FIRST BYTE'),
  words('TIMELINE'),
]

/** Returns the result of an attempt as one word: a status of the provider, or success. */
export const getAttemptStatus = ({ status, code, result }: ExplainedAttempt, language: Language): string =>
  result === 'failed' && (status ?? 0) > 0
    ? String(status)
    : result === 'failed' && code
      ? String(code)
      : RESULTS[result][language]

/** Draws the bar of an attempt on a line of `places` characters for `total` ms. */
export function drawAttemptBar(
  { at, ms, first_ms }: ExplainedAttempt,
  start: number,
  total: number,
  places: number,
): string {
  const place = (time: number) =>
    Math.min(places, Math.max(0, Math.round(((time - start) / Math.max(1, total)) * places)))
  const from = Math.min(place(at ?? start), places - 1)
  const to = Math.max(from + 1, place((at ?? start) + (ms ?? 0)))
  const first =
    first_ms === undefined || first_ms <= 0 ? to : Math.min(to, Math.max(from, place((at ?? start) + first_ms)))
  return ' '.repeat(from) + WAITING.repeat(first - from) + ANSWERING.repeat(to - first)
}

interface WaterfallOptions {
  language: Language
  width?: number
  paint(text: string, tone: CellTone): string
}

/** Returns the lines of all attempts. */
export function formatWaterfallLines(
  attempts: readonly ExplainedAttempt[],
  { language, width, paint }: WaterfallOptions,
): string[] {
  const start = Math.min(...attempts.map(({ at }) => at ?? 0))
  const total = Math.max(...attempts.map(({ at, ms }) => (at ?? 0) - start + (ms ?? 0)))
  const before = attempts.map((attempt, at): TableCell[] => {
    const tone = TONES[attempt.result]
    return [
      { text: `${at + 1}. ${attempt.channel} ${attempt.name}`.trim(), tone: 'strong' },
      { text: attempt.model },
      { text: getAttemptStatus(attempt, language), tone },
      { text: attempt.ms === undefined ? '' : formatMilliseconds(attempt.ms) },
      { text: attempt.first_ms ? formatMilliseconds(attempt.first_ms) : '' },
    ]
  })
  const others = TITLES.slice(0, -1).map((title, at) =>
    Math.max(...[title[language], ...before.map((cells) => cells[at]?.text ?? '')].map((text) => stringWidth(text))),
  )
  const room = (width ?? DEFAULT_WIDTH) - others.reduce((sum, one) => sum + one + GAP.length, '|'.length)
  const places = Math.max(MIN_BAR_WIDTH, Math.min(MAX_BAR_WIDTH, room))
  const rows = before.map((cells, at): TableCell[] => {
    const attempt = attempts[at]!
    return [...cells, { text: `|${drawAttemptBar(attempt, start, total, places)}`, tone: TONES[attempt.result] }]
  })
  const columns = TITLES.map((title, at): TableColumn => {
    const named = { title: title[language], rank: at === 1 || at === 4 ? 2 : 1 }
    return at === 3 || at === 4 ? { ...named, right: true } : { ...named, flexible: at < 2 }
  })
  return formatTableLines({ columns, rows, width, paint })
}

/** Returns why each attempt failed, and the reaction. */
export function formatReasonLines(attempts: readonly ExplainedAttempt[], language: Language): string[] {
  return attempts.flatMap(({ why, next }, at) => {
    const then = next ? NEXT[next][language] : ''
    return why || then ? [`${at + 1}. ${[why, then].filter(Boolean).join(words('; ')[language])}`] : []
  })
}

const NEXT: Record<NonNullable<ExplainedAttempt['next']>, Words> = {
  key: words('then another key of the channel'),
  channel: words('then another channel'),
  model: words('then a fallback model'),
}
