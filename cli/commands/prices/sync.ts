// A comparison of prices, limits and capabilities with a catalogue. Only differences that the user chooses are applied.
import { readFile } from 'node:fs/promises'
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate, joinList, joinTexts, toWords, type Words } from '../../../core/errors.ts'
import { command, type CommandEnvironment } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { priceDifferenceView, hasPriceDifference, modelPriceView, type PriceSyncDifference } from '../../nouns/price.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { words } from '../../texts.ts'

const options = {
  file: {
    flag: '--file <path>',
    help: words(
      "LiteLLM's price file, models.dev's api.json, or a gateway's /api/pricing or /api/ratio_config; - reads standard input",
    ),
  },
  address: { flag: '--address <url>', help: words('where the server fetches such a list') },
  provider: {
    flag: '--provider <name>',
    help: words('whose offers count, of a list with several (default: the maker of each model)'),
  },
  all: {
    flag: '--all',
    help: words('also models that are neither served, used nor priced here'),
  },
} as const

interface SyncFlags {
  file?: string
  address?: string
  provider?: string
  all?: boolean
}

async function compare(
  weir: WeirClient,
  { file, address, provider, all }: SyncFlags,
  readInput: CommandEnvironment['readInput'],
) {
  if (file !== undefined && address !== undefined)
    throw new UsageError(words('--file and --address exclude each other.'))
  const text = file === undefined ? undefined : file === '-' ? await readInput() : await read(file)
  return weir.prices.preview({
    ...(text === undefined ? {} : { file: text }),
    ...(address === undefined ? {} : { address }),
    provider: provider ?? '',
    all: all === true,
  })
}

const read = (path: string) =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      fillTemplate(words('--file {path} cannot be read ({code}).'), { path, code: error.code ?? '' }),
    )
  })

const REASONS: Record<Skipped['reason'], (count: number) => Words> = {
  no_price: (count) => fillTemplate(words('{count} have no price'), { count }),
  unusable: (count) => fillTemplate(words('{count} are priced by what no price here can be'), { count }),
  several: (count) => fillTemplate(words('{count} have several prices that differ'), { count }),
}
type Skipped = Awaited<ReturnType<WeirClient['prices']['preview']>>['skipped'][number]

/** Names the list, and the entries of it that could not be read. */
function describeSource(source: string, skipped: readonly Skipped[]): Words {
  const counted = Object.entries(REASONS).flatMap(([reason, reasonText]) => {
    const count = skipped.filter((one) => one.reason === reason).length
    return count > 0 ? [reasonText(count)] : []
  })
  const list = source === 'builtin' ? words('the catalogue that comes with Weir') : toWords(source)
  if (counted.length === 0) return fillTemplate(words('Compared with {list}.'), { list })
  return fillTemplate(words('Compared with {list}. Left out: {counted}.'), {
    list,
    counted: joinTexts(counted, words(', ', { context: 'clause' })),
  })
}

const NONE = words('Nothing to compare.')

export const previewCommand = command({
  endpoint: 'prices.preview',
  name: 'preview',
  readOnly: true,
  output: { view: priceDifferenceView, many: true },
  summary: words(
    'Compare prices, limits and capabilities of models with a catalogue: from a file, an address, or the one that comes with Weir; changes nothing',
  ),
  options: { ...options, same: { flag: '--same', help: words('also what does not differ') } },
  async run({ client, print, options: flags, readInput }) {
    const { data, source, skipped } = await compare(await client(), flags, readInput)
    const rows = flags.same ? data : data.filter((row) => row.status !== 'same' || hasPriceDifference(row))
    await print.list(rows, priceDifferenceView, { empty: NONE })
    print.warn(describeSource(source, skipped))
  },
})

export const syncCommand = command({
  endpoint: 'prices.preview',
  name: 'sync',
  output: { view: modelPriceView, many: true },
  summary: words(
    'Take over prices, limits and capabilities of models from a catalogue, for the models that are named, or all that differ',
  ),
  options: {
    ...options,
    models: {
      flag: '--models <list>',
      help: words('comma list of the models (default: all that differ)'),
    },
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run({ client, print, ask, options: flags, readInput }) {
    const sure = requireConfirmation(ask, flags.yes, words('change prices and facts of models'))
    const weir = await client()
    const { data, source } = await compare(weir, flags, readInput)
    const names = flags.models?.split(',').map((name) => name.trim())
    const differing = data.filter(hasPriceDifference)
    const chosen = names ? differing.filter(({ model }) => names.includes(model)) : differing
    const unknown = (names ?? []).filter((name) => !data.some(({ model }) => model === name))
    if (unknown.length > 0)
      throw new UsageError(
        fillTemplate(words('{source} has no price for {unknown}.'), { source, unknown: joinList(unknown) }),
      )
    if (chosen.length === 0) return print.list([], modelPriceView, { empty: words('Nothing differs.') })
    if (print.form === 'human') await print.list(chosen, priceDifferenceView, { empty: NONE })
    const changes = chosen.map(toChange)
    const prices = changes.filter(({ price }) => price !== undefined).length
    const facts = changes.filter(({ facts }) => facts !== undefined).length
    const counted = countChanges(prices, facts)
    await sure(fillTemplate(words('Take over {counted} from {source}?'), { counted, source }))
    const rows = await weir.prices.apply({ source, changes })
    if (print.form === 'human')
      return print.say(
        fillTemplate(words('Changed {counted}: see `weir prices history` and `weir settings get models.facts`.'), {
          counted,
        }),
      )
    await print.list(rows, modelPriceView, { empty: NONE })
  },
})

function countChanges(prices: number, facts: number): Words {
  const parts = [
    ...(prices > 0 ? [fillTemplate(words('{prices} prices'), { prices })] : []),
    ...(facts > 0 ? [fillTemplate(words('the facts of {facts} models'), { facts })] : []),
  ]
  return joinTexts(parts, words(' and '))
}

/**
 * Returns the parts that differ, with the versions that were shown, so that a part changed since is not overwritten.
 */
const toChange = ({ model, status, version, to, facts_differ, facts_version, facts_to }: PriceSyncDifference) => ({
  model,
  ...((status === 'new' || status === 'changed') && to !== null ? { version, price: to } : {}),
  ...(facts_differ.length > 0 ? { facts_version, facts: facts_to } : {}),
})
