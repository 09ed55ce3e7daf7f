// `weir search`: users, channels, tokens, teams, models and calls by a text.
import type { WeirClient } from '../../core/contracts.ts'
import { command } from '../command.ts'
import { parsePositiveNumber } from '../input/flags.ts'
import { text, word, type OutputView } from '../output/view.ts'
import { words } from '../texts.ts'

type SearchResult = Awaited<ReturnType<WeirClient['search']['find']>>[number]

const KINDS = {
  user: words('user'),
  channel: words('channel'),
  token: words('token'),
  team: words('team'),
  model: words('model'),
  call: words('call'),
}

const resultView: OutputView<SearchResult> = {
  kind: word(words('KIND'), 1, KINDS, ({ kind }) => kind),
  id: text(words('ID'), 1, ({ id }) => id, { tone: () => 'strong', identifies: 1 }),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true }),
  line: text(words('DESCRIPTION'), 2, ({ line }) => line || null, { flexible: true, tone: () => 'faint' }),
}

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20

export const searchCommand = command({
  endpoint: 'search.find',
  name: 'search',
  readOnly: true,
  output: { view: resultView, many: true },
  summary: words('Find users, channels, tokens, teams, models and calls by a text; as a user what is yours'),
  arguments: { text: { spec: '<text>', help: words('an id, or part of a name') } },
  options: {
    limit: { flag: '--limit <number>', help: words('results of each kind, at most 20 (default: 5)') },
  },
  async run({ client, print, args, options }) {
    const limit = options.limit === undefined ? DEFAULT_LIMIT : parsePositiveNumber('--limit', options.limit, MAX_LIMIT)
    const found = await (await client()).search.find({ text: args.text, limit })
    await print.list(found, resultView, { empty: words('Nothing found.') })
  },
})
