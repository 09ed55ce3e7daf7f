// The facts that a catalogue states about a model against those that are known here, and what taking them over stores.
import { findModelFacts, getModelKind, NO_REFRESHED_FACTS, type ModelFactLookup } from '../models/model-facts.ts'
import { answersInTokens, findKindByName, hasTokenPrompt } from '../models/model-kind.ts'
import { hashVersion } from '../pricing/price-version.ts'
import type { Settings } from '../settings/index.ts'
import type { StatedFacts } from '../settings/models.ts'
import type { ListedFacts } from './catalogue.ts'

export const MODEL_FACT_NAMES = ['context', 'output', 'kind', 'reads', 'writes'] as const
type FactName = (typeof MODEL_FACT_NAMES)[number]

export interface ComparedFacts {
  /** The facts that differ. */
  facts_differ: FactName[]
  /** The facts that are known here; without a part that is not. */
  facts_now: StatedFacts
  /** Those of the catalogue that differ. */
  facts_there: StatedFacts
  /** The facts of the model that would be stored; null if all of them are built in. */
  facts_to: StatedFacts | null
  /** Changes with what is stored of the model's facts. */
  facts_version: string
}

/** @param entry undefined if the catalogue does not know the model */
export function compareFacts(model: string, entry: ListedFacts | undefined, settings: Settings): ComparedFacts {
  const refreshed = settings['models.facts']
  const stored = findStoredFacts(model, settings)
  const [now, builtIn] = [findModelFacts(model, refreshed), findModelFacts(model, NO_REFRESHED_FACTS)]
  const stated = entry ? readStatedFacts(model, entry, now) : {}
  const names = MODEL_FACT_NAMES.filter((name) => stated[name] !== undefined)
  // A model that nothing is known of is called like one that chats, or like another kind.
  const unknown = { kind: getModelKind(model) }
  const facts_differ = names.filter((name) => !isSameFact(stated[name], { ...unknown, ...now }[name]))
  const own = names.filter((name) => !isSameFact(stated[name], { ...unknown, ...builtIn }[name]))
  const unstated = Object.entries(stored ?? {}).filter(([name]) => stated[name as FactName] === undefined)
  const to: StatedFacts = { ...Object.fromEntries(unstated), ...pickFacts(stated, own) }
  return {
    facts_differ,
    facts_now: now
      ? pickFacts(
          now,
          MODEL_FACT_NAMES.filter((name) => isKnownFact(now[name])),
        )
      : {},
    facts_there: pickFacts(stated, facts_differ),
    facts_to: Object.keys(to).length > 0 ? to : null,
    facts_version: hashVersion(stored),
  }
}

/** The facts that are stored under exactly this name; null if there are none. */
export const findStoredFacts = (model: string, settings: Settings): StatedFacts | null => {
  const refreshed = settings['models.facts']
  return Object.hasOwn(refreshed, model) ? ((refreshed[model] as StatedFacts | undefined) ?? null) : null
}

/** The setting with these facts in place of what is stored under the same names; null takes a model out. */
export function setStoredFacts(
  changes: readonly { model: string; facts: StatedFacts | null }[],
  settings: Settings,
): { key: string; value: string }[] {
  if (changes.length === 0) return []
  const all = new Map(Object.entries(settings['models.facts']))
  for (const { model, facts } of changes) {
    if (facts) all.set(model, facts)
    else all.delete(model)
  }
  return [{ key: 'models.facts', value: JSON.stringify(Object.fromEntries(all), null, 2) }]
}

/** The parts that the list states. A kind that the name shows wins, as everywhere; limits count for kinds that have them. */
function readStatedFacts(model: string, entry: ListedFacts, now: ModelFactLookup | undefined): StatedFacts {
  const kind = findKindByName(model) ?? entry.kind
  const kindThen = kind ?? now?.kind ?? 'chat'
  const { context, longest, reads, writes } = entry
  return {
    ...(context > 0 && hasTokenPrompt(kindThen) ? { context } : {}),
    ...(longest > 0 && answersInTokens(kindThen) ? { output: longest } : {}),
    ...(kind ? { kind } : {}),
    ...(reads.length > 0 ? { reads: [...reads] } : {}),
    ...(writes.length > 0 ? { writes: [...writes] } : {}),
  }
}

const pickFacts = (facts: StatedFacts | ModelFactLookup, names: readonly FactName[]): StatedFacts =>
  Object.fromEntries(names.map((name) => [name, facts[name]]))

const isKnownFact = (fact: ModelFactLookup[FactName]): boolean => (Array.isArray(fact) ? fact.length > 0 : fact !== 0)

/** The order of what is read and written does not count. */
const isSameFact = (one: unknown, other: unknown): boolean => {
  const text = (fact: unknown) => (Array.isArray(fact) ? [...fact].sort().join(' ') : fact)
  return text(one) === text(other)
}
