// The prices of new-api: its options, and for other models its built-in ratios and rules.
import { words } from '../../errors.ts'
import type { PriceFields } from '../../settings/channel-price.ts'
import type { BuiltInPrices, PriceFacts } from '../built-in-prices.ts'
import { describeEvidence, findNewestMarker, findRatio, readRatioOption, toOwnRatio } from '../built-in-prices.ts'
import { EARLIER, LATER, MARKERS } from './ratios.data.ts'

type RatioTableName = keyof typeof LATER
type RatioTables = Readonly<Record<RatioTableName, Readonly<Record<string, number>>>>

/** The completion ratio of names. Locked ratios win over the option. First match wins. */
type CompletionRules = readonly (readonly [test: RegExp, ratio: number, locked?: true])[]

interface Era {
  tables: RatioTables
  completion: CompletionRules
}

const SHARED_RULES: CompletionRules = [
  [/^mistral-/, 3, true],
  [/^gemini-(1\.5|2\.0)/, 4, true],
  [/^gemini-2\.5-pro/, 8],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, 4],
  [/^gemini-2\.5-flash-preview/, 3.5 / 0.15],
  [/^gemini-2\.5-flash-lite/, 4],
  [/^gemini-(2\.5-flash|robotics-er-1\.5)/, 2.5 / 0.3],
  [/^gemini-3-pro-image/, 60],
  [/^gemini-3-pro/, 6],
  [/^gemini-/, 4],
  [/^command-r$/, 3, true],
  [/^command-r-plus$/, 5, true],
  [/^command-r(-plus)?-08-2024$/, 4, true],
  [/^command/, 4],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, 2, true],
  [/^llama2-70b-4096$/, 0.8 / 0.64, true],
  [/^llama3-8b-8192$/, 2, true],
  [/^llama3-70b-8192$/, 0.79 / 0.59, true],
]

const laterEra: Era = {
  tables: LATER,
  completion: [
    [/(-all|-gizmo-\*)$/, 2],
    [/^gpt-4o-2024-05-13$/, 3, true],
    [/^gpt-4o-mini-tts/, 20],
    [/^gpt-4o/, 4],
    [/^gpt-5[^.]*$/, 8, true],
    [/^gpt-5\.4-nano/, 6.25, true],
    [/^gpt-5\.4/, 6, true],
    [/^gpt-5/, 6],
    [/^gpt-4\.5-preview/, 2, true],
    [/^gpt-4-turbo|^gpt-.*gpt-4-110[56]$|^gpt-4-110[56]$/, 3, true],
    [/^gpt-/, 2],
    [/^o[13]/, 4, true],
    [/^chatgpt-4o-latest$/, 3, true],
    [/claude-3|claude-(sonnet|opus|haiku)-4|claude-(fable|sonnet|opus)-5/, 5, true],
    ...SHARED_RULES,
  ],
}

const earlier: Era = {
  tables: EARLIER,
  completion: [
    [/(-all|-gizmo-\*)$/, 1],
    [/^gpt-4o-2024-05-13$/, 3, true],
    [/^gpt-4o/, 4],
    [/^gpt-4\.5/, 2, true],
    [/^gpt-4-turbo|^gpt-4-.*preview$/, 3, true],
    [/^gpt-4/, 2],
    [/^o[13]/, 4, true],
    [/^chatgpt-4o-latest$/, 3, true],
    [/claude-instant-1|claude-2/, 3, true],
    [/claude-3/, 5, true],
    [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3, true],
    [/^gpt-3\.5.*1106$/, 2, true],
    [/^gpt-3\.5/, 4 / 3, true],
    [/^deepseek-(chat|reasoner)$/i, 4, true],
    ...SHARED_RULES,
  ],
}

/** The first month of the later tables and rules, and of those versions that are known to have them all. */
const LATER_SINCE = '2025-06'
const KNOWN_SINCE = '2026-01'
/** Drawings and songs, which keep their built-in price regardless of the option for others. Unit: USD. */
const TASK = /^(mj_|suno_|swap_face$)/
const TASK_PRICE = 0.1
/** The ratio of models without one, where self-use mode accepts them. */
const SELF_USE_RATIO = 37.5

export function buildNewApiPrices({ tables, options, units }: PriceFacts): BuiltInPrices {
  const marker = findNewestMarker(MARKERS, tables)
  const since = marker?.[0] ?? ''
  const isLater = since >= LATER_SINCE
  const isKnown = !isLater || since >= KNOWN_SINCE
  const acceptsUnset = options.get('SelfUseModeEnabled') === 'true'
  const expressions = options.get('billing_setting.billing_expr') ?? ''

  function statePrice({ tables: builtIn, completion }: Era, model: string): PriceFields | null {
    const name = toPricedName(model)
    const find = (table: RatioTableName) => findRatio(readRatioOption(options, table) ?? builtIn[table], name)
    const fixed =
      find('ModelPrice') ?? (TASK.test(name) ? (findRatio(builtIn.ModelPrice, name) ?? TASK_PRICE) : undefined)
    if (fixed !== undefined) return { model_price: fixed }
    const ratio = find('ModelRatio') ?? (acceptsUnset ? SELF_USE_RATIO : undefined)
    if (ratio === undefined) return null
    const [audio, audioCompletion, image] = [find('AudioRatio'), find('AudioCompletionRatio'), find('ImageRatio')]
    return {
      model_ratio: toOwnRatio(ratio, units),
      completion_ratio: findCompletionRatio(completion, name, find('CompletionRatio')),
      cache_ratio: find('CacheRatio') ?? 1,
      create_cache_ratio: find('CreateCacheRatio') ?? 1.25,
      ...(audio === undefined ? {} : { audio_ratio: audio }),
      ...(audioCompletion === undefined ? {} : { audio_completion_ratio: audioCompletion }),
      ...(image === undefined ? {} : { image_ratio: image }),
    }
  }

  return {
    version: isLater ? `new-api, ${since} or later` : 'new-api, before 2025-06',
    evidence: describeEvidence(marker),
    state(model) {
      const [early, late] = [statePrice(earlier, model), statePrice(laterEra, model)]
      const price = isLater ? (late ?? (isKnown ? null : early)) : early
      const mayDiffer = !isKnown && JSON.stringify(early) !== JSON.stringify(late)
      return {
        price,
        notes: [
          ...(mayDiffer ? [MAY_DIFFER] : []),
          ...(expressions.includes(JSON.stringify(model)) ? [BY_EXPRESSION] : []),
        ],
      }
    },
  }
}

const MAY_DIFFER = words('it may have been charged otherwise there, as the exact version is not known')
const BY_EXPRESSION = words('there it was charged by an expression, which has no place here')

/** Names of one family have one entry in the tables. */
const toPricedName = (model: string): string =>
  model
    .replace(/^(gemini-2\.5-(?:flash-lite|flash|pro)).*-thinking-.*$/, '$1-thinking-*')
    .replace(/^gpt-4(o?)-gizmo.*$/, 'gpt-4$1-gizmo-*')

function findCompletionRatio(rules: CompletionRules, name: string, stated: number | undefined): number {
  const [, ratio, locked] = rules.find(([test]) => test.test(name)) ?? [/^/, 1]
  // The names of open models, with a slash, are the operator's to price.
  return locked && !(name.includes('/') && stated !== undefined) ? ratio : (stated ?? ratio)
}
