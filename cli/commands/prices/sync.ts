// A comparison of prices, limits and capabilities with a catalogue. Only differences that the user chooses are applied.
import { readFile } from 'node:fs/promises'
import type { WeirClient } from '../../../core/contracts.ts'
import { words, type Words } from '../../../core/errors.ts'
import { command, type CommandEnvironment } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { differenceView, isDifferent, priceView, type Difference } from '../../nouns/price.ts'
import { requireConfirmation } from '../../confirm.ts'

const options = {
  file: {
    flag: '--file <path>',
    help: words(
      "LiteLLM's price file, models.dev's api.json, or a gateway's /api/pricing or /api/ratio_config; - reads standard input",
      'LiteLLM 价格文件、models.dev 的 api.json，或网关的 /api/pricing、/api/ratio_config；- 表示标准输入',
    ),
  },
  address: { flag: '--address <url>', help: words('where the server fetches such a list', '服务器获取该列表的地址') },
  provider: {
    flag: '--provider <name>',
    help: words(
      'whose offers count, of a list with several (otherwise the maker of each model)',
      '采用谁的报价（默认各模型厂商）',
    ),
  },
  all: {
    flag: '--all',
    help: words('also models that are neither served, used nor priced here', '包括此处未提供、未使用、未定价的模型'),
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
    throw new UsageError(words('--file and --address exclude each other.', '--file 与 --address 不能同时使用。'))
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
      words(`--file ${path} cannot be read (${error.code}).`, `无法读取 --file ${path}（${error.code}）。`),
    )
  })

const REASONS: Record<Skipped['reason'], (count: number) => Words> = {
  no_price: (count) => words(`${count} have no price`, `${count} 项没有价格`),
  unusable: (count) => words(`${count} are priced by what no price here can be`, `${count} 项的计价方式此处无法表示`),
  several: (count) => words(`${count} have several prices that differ`, `${count} 项有多个不同的价格`),
}
type Skipped = Awaited<ReturnType<WeirClient['prices']['preview']>>['skipped'][number]

/** Names the list, and the entries of it that could not be read. */
function describeSource(source: string, skipped: readonly Skipped[]): Words {
  const counted = Object.entries(REASONS).flatMap(([reason, reasonText]) => {
    const count = skipped.filter((one) => one.reason === reason).length
    return count > 0 ? [reasonText(count)] : []
  })
  const list =
    source === 'builtin' ? words('the catalogue that comes with Weir', '随 Weir 附带的目录') : words(source, source)
  if (counted.length === 0) return words(`Compared with ${list.en}.`, `已与${list.zh}比较。`)
  return words(
    `Compared with ${list.en}. Left out: ${counted.map(({ en }) => en).join(', ')}.`,
    `已与 ${list.zh} 比较。跳过：${counted.map(({ zh }) => zh).join('，')}。`,
  )
}

const NONE = words('Nothing to compare.', '没有可比较的内容。')

export const preview = command({
  name: 'preview',
  readOnly: true,
  output: { view: differenceView, many: true },
  summary: words(
    'Compare prices, limits and capabilities of models with a catalogue: from a file, an address, or the one that comes with Weir; changes nothing',
    '将模型的价格、限制与能力与目录比较（文件、地址或随 Weir 附带的目录）；不做更改',
  ),
  options: { ...options, same: { flag: '--same', help: words('also what is the same', '包括相同的') } },
  async run({ client, print, options: flags, readInput }) {
    const { data, source, skipped } = await compare(await client(), flags, readInput)
    const rows = flags.same ? data : data.filter((row) => row.status !== 'same' || isDifferent(row))
    await print.list(rows, differenceView, { empty: NONE })
    print.warn(describeSource(source, skipped))
  },
})

export const sync = command({
  name: 'sync',
  output: { view: priceView, many: true },
  summary: words(
    'Take over prices, limits and capabilities of models from a catalogue, for the models that are named, or all that differ',
    '采用目录中模型的价格、限制与能力：指定的模型，或所有不同的模型',
  ),
  options: {
    ...options,
    models: {
      flag: '--models <list>',
      help: words('comma list of the models (otherwise all that differ)', '模型，逗号分隔（默认所有不同的）'),
    },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, options: flags, readInput }) {
    const sure = requireConfirmation(ask, flags.yes, words('change prices and facts of models', '更改价格与模型信息'))
    const weir = await client()
    const { data, source } = await compare(weir, flags, readInput)
    const names = flags.models?.split(',').map((name) => name.trim())
    const differing = data.filter(isDifferent)
    const chosen = names ? differing.filter(({ model }) => names.includes(model)) : differing
    const unknown = (names ?? []).filter((name) => !data.some(({ model }) => model === name))
    if (unknown.length > 0)
      throw new UsageError(
        words(`${source} has no price for ${unknown.join(', ')}.`, `${source} 中没有 ${unknown.join('、')} 的价格。`),
      )
    if (chosen.length === 0) return print.list([], priceView, { empty: words('Nothing differs.', '没有不同之处。') })
    if (print.form === 'human') await print.list(chosen, differenceView, { empty: NONE })
    const changes = chosen.map(toChange)
    const prices = changes.filter(({ price }) => price !== undefined).length
    const facts = changes.filter(({ facts }) => facts !== undefined).length
    const counted = countChanges(prices, facts)
    await sure(words(`Take over ${counted.en} from ${source}?`, `采用 ${source} 的${counted.zh}？`))
    const rows = await weir.prices.apply({ source, changes })
    if (print.form === 'human')
      return print.say(
        words(
          `Changed ${counted.en}: see \`weir prices history\` and \`weir settings get models.facts\`.`,
          `已更改${counted.zh}：见 \`weir prices history\` 与 \`weir settings get models.facts\`。`,
        ),
      )
    await print.list(rows, priceView, { empty: NONE })
  },
})

function countChanges(prices: number, facts: number): Words {
  const parts = [
    ...(prices > 0 ? [words(`${prices} prices`, ` ${prices} 个价格`)] : []),
    ...(facts > 0 ? [words(`the facts of ${facts} models`, ` ${facts} 个模型的信息`)] : []),
  ]
  return words(parts.map(({ en }) => en).join(' and '), parts.map(({ zh }) => zh).join('与'))
}

/**
 * Returns the parts that differ, with the versions that were shown, so that a part changed since is not overwritten.
 */
const toChange = ({ model, status, version, to, facts_differ, facts_version, facts_to }: Difference) => ({
  model,
  ...((status === 'new' || status === 'changed') && to !== null ? { version, price: to } : {}),
  ...(facts_differ.length > 0 ? { facts_version, facts: facts_to } : {}),
})
