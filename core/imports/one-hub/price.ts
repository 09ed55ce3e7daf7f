// Converts a price of one-hub: 1 is one quota unit for a token, or 1000 units for a call.
import { Decimal } from 'decimal.js'
import { fillTemplate, joinList, words } from '../../errors.ts'
import type { ImportedPrice } from '../imported-rows.ts'
import { getCellDecimal, getCellObject, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { LeftRow, SourceFacts } from '../product.ts'

/** Quota units of a call at price 1. */
const UNITS_BY_CALL = 1000
/** Quota units of one unit of the currency that Weir's ratios are counted for. */
const RATIO_UNITS = 500_000

/** one-hub's shares of the input price for cached tokens where a price names none; Claude's are written and read. */
const CACHED = 0.5
const CLAUDE_READ = 0.1
const CLAUDE_WRITTEN = 1.25

export function oneHubPrice(row: SourceRow, { units }: SourceFacts): ImportedPrice | LeftRow {
  const model = getCellWord(row, 'model')
  const label = { kind: 'price' as const, id: model, name: model }
  if (model === '' || model.includes('*'))
    return {
      ...label,
      left: words('it covers many models: set the price of each'),
    }
  const notes: RowChangeNotes = []
  const [input, output] = ['input', 'output'].map((column) => new Decimal(getCellDecimal(row, column) || 0))
  if (!input || !output || input.isNegative() || output.isNegative())
    return { ...label, left: words('its price is below 0') }
  if (getCellWord(row, 'type') === 'times') {
    const price = { model_price: input.times(UNITS_BY_CALL).dividedBy(units).toNumber() }
    return { ...label, notes, price: JSON.stringify(price) }
  }
  if (input.isZero() && !output.isZero())
    return {
      ...label,
      left: words('its input was free and its output was not: set its price'),
    }
  return { ...label, notes, price: JSON.stringify(buildRatios(row, { input, output, units }, notes)) }
}

function buildRatios(
  row: SourceRow,
  { input, output, units }: { input: Decimal; output: Decimal; units: number },
  notes: RowChangeNotes,
): Record<string, number> {
  const extra = getCellObject(row, 'extra_ratios', notes)
  const find = (name: string) => (typeof extra[name] === 'number' ? extra[name] : undefined)
  const isClaude = /claude/i.test(getCellWord(row, 'model'))
  const known = [
    'cached_tokens',
    'cached_read_tokens',
    'cached_write_tokens',
    'input_audio_tokens',
    'output_audio_tokens',
  ]
  const lost = Object.keys(extra).filter((name) => !known.includes(name))
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
  const [audioInput, audioOutput] = [find('input_audio_tokens'), find('output_audio_tokens')]
  return {
    model_ratio: input.times(RATIO_UNITS).dividedBy(units).toNumber(),
    completion_ratio: input.isZero() ? 1 : output.dividedBy(input).toNumber(),
    cache_ratio: (isClaude ? find('cached_read_tokens') : find('cached_tokens')) ?? (isClaude ? CLAUDE_READ : CACHED),
    ...(isClaude ? { create_cache_ratio: find('cached_write_tokens') ?? CLAUDE_WRITTEN } : {}),
    ...(audioInput === undefined ? {} : { audio_ratio: audioInput }),
    // It counts the output's ratio against the output price, Weir against that of the audio input.
    ...(audioInput && audioOutput !== undefined && !input.isZero()
      ? { audio_completion_ratio: output.times(audioOutput).dividedBy(input.times(audioInput)).toNumber() }
      : {}),
  }
}
