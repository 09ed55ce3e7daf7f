// The facts of a model by its name, for any provider: limits, day of release, kind, input and output. They come from
// the data file; facts that an operator has imported from a list (`models.facts`) override it.
import type { VendorPrice, VendorTier } from './fact-row.ts'
import { factsFile } from './model-facts.data.ts'
import { findKindByName } from './model-kind.ts'
import type { Operation } from './operation.ts'
import { findSnapshotDay, toPlainModelName } from './same-model.ts'
import { snapshots } from './snapshots.data.ts'

export interface ModelFactLookup {
  /** Most of prompt and answer together, in tokens; 0 if it is not known. */
  context: number
  /** Most of one answer, in tokens; 0 if it is not known. */
  output: number
  /** The day its vendor released it, as `2025-11-24`; empty if it is not known. */
  released: string
  /** The operation that it serves. */
  kind: Operation
  /** The kinds of content that it reads and writes, such as `text` and `image`; empty if they are not known. */
  reads: readonly string[]
  writes: readonly string[]
}

/** The facts that an operator has taken over from a list, by name of the model; a missing part is as in the data file. */
export type RefreshedFacts = Readonly<
  Record<string, { readonly [Part in Exclude<keyof ModelFactLookup, 'released'>]?: ModelFactLookup[Part] | undefined }>
>

/** The value of `models.facts` while nothing was taken over. */
export const NO_REFRESHED_FACTS: RefreshedFacts = {}

/** A cloud's or a gateway's own words before and behind a vendor's name (`us.anthropic.…-v1:0`, `openai/…`, `…@20250514`). */
const around = /^(?:[\w.-]+\/)*(?:[a-z-]+\.)?(?:anthropic\.|models\/)?(.+?)(?:-v\d+(?::\d+)?|@\w+|:\w+)?$/

/**
 * Finds the facts of a model; of a dated name, those of the plain one. Undefined if neither the data file nor the operator
 * has any. The same object each time unless the operator has refreshed the model.
 */
export function findModelFacts(model: string, refreshed = NO_REFRESHED_FACTS): ModelFactLookup | undefined {
  const builtIn = known.get(model) ?? findByOtherNames(model, (name) => known.get(name))
  const own = refreshed === NO_REFRESHED_FACTS ? undefined : findRefreshed(model, refreshed)
  return own ? { ...(builtIn ?? unknownFacts(model)), ...own } : builtIn
}

const findRefreshed = (model: string, refreshed: RefreshedFacts) => {
  // Names like `constructor` are names of models too.
  const find = (name: string) => (Object.hasOwn(refreshed, name) ? refreshed[name] : undefined)
  return find(model) ?? findByOtherNames(model, find)
}

function findByOtherNames<T>(model: string, find: (name: string) => T | undefined): T | undefined {
  const plain = around.exec(model)?.[1] ?? model
  return find(plain) ?? find(toPlainModelName(plain))
}

const unknownFacts = (model: string): ModelFactLookup => ({
  context: 0,
  output: 0,
  released: '',
  kind: findKindByName(model) ?? 'chat',
  reads: [],
  writes: [],
})

const known: ReadonlyMap<string, ModelFactLookup> = new Map(
  factsFile.models.map(([name, , kind, context, output, released, reads, writes]) => [
    name,
    { context, output, released, kind, reads: reads.split(' '), writes: writes.split(' ') },
  ]),
)

/** Returns the kind of a model: as its facts state, else by its name. */
export const getModelKind = (model: string, refreshed?: RefreshedFacts): Operation =>
  findModelFacts(model, refreshed)?.kind ?? findKindByName(model) ?? 'chat'

/**
 * Returns the day of a model's release, such as `2025-11-24`; empty if it is unknown. A snapshot's name has its day.
 */
export function findReleaseDay(model: string): string {
  const facts =
    known.get(model) ??
    (snapshots.has(toPlainModelName(model)) && findSnapshotDay(model) ? undefined : findModelFacts(model))
  return facts?.released || (findSnapshotDay(model) ?? '')
}

/** A vendor's price of its own model, in USD, and the factors of longer prompts. */
export interface VendorOffer {
  model: string
  vendor: string
  usd: VendorPrice
  longer: readonly VendorTier[]
}

/** Lists the vendors' prices that the data file has, with the day on which they were read. */
export const listVendorOffers = (): { date: string; offers: VendorOffer[] } => ({
  date: factsFile.date,
  offers: factsFile.models.flatMap(([model, vendor, , , , , , , usd, longer = []]) =>
    usd ? [{ model, vendor, usd, longer }] : [],
  ),
})
