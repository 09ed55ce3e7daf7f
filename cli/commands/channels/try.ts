// `weir channels test` and `balance`: requests to providers, which can take long.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import type { TestOutcome } from '../../../core/channels/test-outcome.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { drawProgressBar } from '../../output/progress.ts'
import { findChosenChannels, someChannelsArgument, channelTagOption } from './change.ts'
import { testChannelsInTurn } from '../../channel-test.ts'
import { command } from '../../command.ts'
import { toCliFailure, GatewayUnreachable, UsageError } from '../../failure.ts'
import { listEveryChannel, CHANNEL_TEST_RESULTS, testTone } from '../../nouns/channel.ts'
import { words } from '../../texts.ts'
import { count, ms, number, text, time, word, type OutputView } from '../../output/view.ts'
import { findKeyFingerprints } from './keys.ts'

interface Tested {
  id: number
  name: string
  result: keyof typeof CHANNEL_TEST_RESULTS
  ms?: number
  model?: string
  tested?: number
  by?: string
  message?: string
}

const testView: OutputView<Tested> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  result: word(words('RESULT'), 1, CHANNEL_TEST_RESULTS, ({ result }) => result, { tone: testTone }),
  ms: ms(words('TOOK'), 2, ({ ms }) => ms),
  model: text(words('MODEL'), 4, ({ model }) => model || null),
  tested: time(words('TESTED'), 3, ({ tested }) => tested),
  by: text(words('BY', { context: 'test' }), 5, ({ by }) => by || null),
  message: text(words('MESSAGE'), 6, ({ message }) => message || null, { flexible: true, below: true }),
}

const toTested = ({ id, name }: Channel, outcome: TestOutcome | null | undefined): Tested =>
  outcome
    ? {
        id,
        name,
        result: outcome.passed ? 'ok' : 'failed',
        ms: outcome.ms,
        model: outcome.model,
        tested: outcome.tested_at,
        by: outcome.username,
        message: outcome.error,
      }
    : { id, name, result: 'untested' }

const NONE = words('No enabled channels.')

export const testCommand = command({
  endpoint: 'channels.test',
  name: 'test',
  output: { view: testView, many: true },
  summary: words('Send the smallest possible call through channels, or through every enabled one, free of charge'),
  failsWhen: words('a channel fails'),
  arguments: { channels: someChannelsArgument },
  options: {
    tag: channelTagOption,
    model: {
      flag: '--model <name>',
      help: words("model to ask for (default: the channel's test model)"),
    },
    key: {
      flag: '--key <key>',
      help: words(
        'test one of several keys of one channel: its place, ends or fingerprint, see `weir channels keys CHANNEL`',
      ),
    },
    stored: {
      flag: '--stored',
      help: words('only show what came of the last test; nothing is sent'),
    },
    history: {
      flag: '--history',
      help: words('only show what came of the last tests of one channel, newest first; nothing is sent'),
    },
  },
  async run({ client, print, ask, args, options, language, failed }) {
    const weir = await client()
    const isAll = args.channels.length === 0 && options.tag === undefined
    if (options.key !== undefined && options.stored) throw new UsageError(KEY_STORED)
    if (options.key !== undefined && args.channels.length !== 1) throw new UsageError(ONE_CHANNEL)
    if (options.history && args.channels.length !== 1) throw new UsageError(ONE_HISTORY)
    const chosen = isAll
      ? (await listEveryChannel(weir)).filter(({ status }) => options.stored || status === CHANNEL_STATUS.enabled)
      : await findChosenChannels(weir, args.channels, options.tag)
    const show = async (rows: Tested[]) => {
      await print.list(rows, testView, { empty: NONE })
      if (rows.some(({ result }) => result === 'failed')) failed()
    }
    if (options.history) {
      const [channel] = chosen
      const outcomes = await weir.channels.tests({ id: channel!.id })
      return print.list(
        outcomes.map((outcome) => toTested(channel!, outcome)),
        testView,
        { empty: words('Never tested.') },
      )
    }
    if (options.stored) {
      const { channels } = await weir.channels.health({ hours: 1 })
      const last = new Map(channels.map((row) => [row.id, row.last_test]))
      return show(chosen.map((row) => toTested(row, last.get(row.id))))
    }
    const [key] =
      options.key === undefined
        ? []
        : findKeyFingerprints(await weir.channels.keys({ id: chosen[0]!.id }), [options.key])
    let done = 0
    const testing = testChannelsInTurn(weir, chosen, {
      model: options.model,
      key,
      language,
      onEach: (count) => (done = count),
    })
    const results = await ask.during(() => formatTesting(done, chosen), testing)
    const tested = Math.floor(Date.now() / 1000)
    await show(
      results.map(({ id, name, ok, time: seconds, message }) => ({
        id,
        name,
        result: ok ? 'ok' : 'failed',
        tested,
        message,
        ...(seconds === undefined ? {} : { ms: Math.round(seconds * 1000) }),
        ...(options.model === undefined ? {} : { model: options.model }),
      })),
    )
  },
})

const ONE_HISTORY = words('--history shows the tests of one channel: name that.')
const ONE_CHANNEL = words('--key is a key of one channel: name that.')
const KEY_STORED = words('Tests of one key are not stored: give --key or --stored.')

/** Formats the progress and the channel under test. */
function formatTesting(done: number, chosen: readonly Channel[]) {
  if (chosen.length === 1) return words('Testing…')
  const far = `${drawProgressBar(done, chosen.length)} ${done}/${chosen.length} ${chosen[done]?.name ?? ''}`
  return fillTemplate(words('Testing {far}'), { far })
}

interface TestFlags {
  id: number
  name: string
  result: 'ok' | 'failed'
  balance?: number
  message?: string
}

const balanceView: OutputView<TestFlags> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  /** Balance in the provider's currency. */
  balance: number(words('BALANCE'), 1, ({ balance }) => balance),
  result: word(words('RESULT'), 2, CHANNEL_TEST_RESULTS, ({ result }) => result, { tone: testTone }),
  message: text(words('MESSAGE'), 3, ({ message }) => message, { flexible: true, below: true }),
}

export const balanceCommand = command({
  endpoint: 'channels.updateBalance',
  name: 'balance',
  output: { view: balanceView, many: true },
  summary: words('Ask providers for the balance of channels, or of every enabled one'),
  failsWhen: words('a provider does not report it'),
  arguments: { channels: someChannelsArgument },
  options: { tag: channelTagOption },
  async run({ client, print, ask, args, options: { tag }, language, failed }) {
    const weir = await client()
    const isAll = args.channels.length === 0 && tag === undefined
    const chosen = isAll
      ? (await listEveryChannel(weir)).filter(({ status }) => status === CHANNEL_STATUS.enabled)
      : await findChosenChannels(weir, args.channels, tag)
    const rows: TestFlags[] = []
    const asking = (async () => {
      for (const { id, name } of chosen) {
        try {
          const { balance } = await weir.channels.updateBalance({ id })
          rows.push({ id, name, result: 'ok', balance })
        } catch (error) {
          if (error instanceof GatewayUnreachable) throw error
          rows.push({ id, name, result: 'failed', message: toCliFailure(error, language)?.message })
        }
      }
    })()
    await ask.during(() => {
      const far = `${drawProgressBar(rows.length, chosen.length)} ${rows.length}/${chosen.length}`
      return fillTemplate(words('Asking {far}'), { far })
    }, asking)
    await print.list(rows, balanceView, { empty: NONE })
    if (rows.some(({ result }) => result === 'failed')) failed()
  },
})
