// `weir channels test` and `balance`: requests to providers, which can take long.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import type { TestOutcome } from '../../../core/channels/test-outcome.ts'
import { words } from '../../../core/errors.ts'
import { progressBar } from '../../progress.ts'
import { chosenChannels, someChannels, tagOption } from './change.ts'
import { testChannels } from '../../channel-test.ts'
import { command } from '../../command.ts'
import { toCliFailure, Unreachable, UsageError } from '../../failure.ts'
import { everyChannel, TEST_RESULTS, testTone } from '../../nouns/channel.ts'
import { count, ms, number, text, time, word, type View } from '../../view.ts'
import { printsOf } from './keys/look.ts'

interface Tested {
  id: number
  name: string
  result: keyof typeof TEST_RESULTS
  ms?: number
  model?: string
  tested?: number
  by?: string
  message?: string
}

const testView: View<Tested> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  result: word(words('RESULT', '结果'), 1, TEST_RESULTS, ({ result }) => result, { tone: testTone }),
  ms: ms(words('TOOK', '耗时'), 2, ({ ms }) => ms),
  model: text(words('MODEL', '模型'), 4, ({ model }) => model || null),
  tested: time(words('TESTED', '测试时间'), 3, ({ tested }) => tested),
  by: text(words('BY', '测试者'), 5, ({ by }) => by || null),
  message: text(words('MESSAGE', '说明'), 1, ({ message }) => message || null, { flexible: true }),
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

const NONE = words('No enabled channels.', '没有已启用的渠道。')

export const test = command({
  name: 'test',
  output: { view: testView, many: true },
  summary: words(
    'Send the smallest possible call through channels, or through every enabled one, free of charge',
    '通过渠道（默认全部已启用的渠道）发送最小的请求；不向任何人计费',
  ),
  failsWhen: words('a channel fails', '有渠道失败'),
  arguments: { channels: someChannels },
  options: {
    tag: tagOption,
    model: {
      flag: '--model <name>',
      help: words("model to ask for (otherwise the channel's test model)", '请求的模型（默认为渠道的测试模型）'),
    },
    key: {
      flag: '--key <key>',
      help: words(
        'test one of several keys of one channel: its place, ends or fingerprint, see `weir channels keys CHANNEL`',
        '仅测试某个渠道多个密钥中的一个：位置、首尾或指纹，见 `weir channels keys 渠道`',
      ),
    },
    stored: {
      flag: '--stored',
      help: words('only show what came of the last test; nothing is sent', '仅显示上次测试的结果，不发送请求'),
    },
  },
  async run({ client, print, ask, args, options, language, failed }) {
    const weir = await client()
    const isAll = args.channels.length === 0 && options.tag === undefined
    if (options.key !== undefined && options.stored) throw new UsageError(KEY_STORED)
    if (options.key !== undefined && args.channels.length !== 1) throw new UsageError(ONE_CHANNEL)
    const chosen = isAll
      ? (await everyChannel(weir)).filter(({ status }) => options.stored || status === CHANNEL_STATUS.enabled)
      : await chosenChannels(weir, args.channels, options.tag)
    const show = async (rows: Tested[]) => {
      await print.list(rows, testView, { empty: NONE })
      if (rows.some(({ result }) => result === 'failed')) failed()
    }
    if (options.stored) {
      const { channels } = await weir.channels.health({ hours: 1 })
      const last = new Map(channels.map((row) => [row.id, row.last_test]))
      return show(chosen.map((row) => toTested(row, last.get(row.id))))
    }
    const [key] =
      options.key === undefined ? [] : printsOf(await weir.channels.keys({ id: chosen[0]!.id }), [options.key])
    let done = 0
    const testing = testChannels(weir, chosen, {
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

const ONE_CHANNEL = words('--key is a key of one channel: name that.', '--key 是某个渠道的密钥：请指定该渠道。')
const KEY_STORED = words(
  'Tests of one key are not stored: give --key or --stored.',
  '单个密钥的测试结果不保存：请只给出 --key 或 --stored。',
)

/** Formats the progress and the channel under test. */
function formatTesting(done: number, chosen: readonly Channel[]) {
  if (chosen.length === 1) return words('Testing…', '正在测试…')
  const far = `${progressBar(done, chosen.length)} ${done}/${chosen.length} ${chosen[done]?.name ?? ''}`
  return words(`Testing ${far}`, `正在测试 ${far}`)
}

interface TestFlags {
  id: number
  name: string
  result: 'ok' | 'failed'
  balance?: number
  message?: string
}

const balanceView: View<TestFlags> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  /** Balance in the provider's currency. */
  balance: number(words('BALANCE', '余额'), 1, ({ balance }) => balance),
  result: word(words('RESULT', '结果'), 2, TEST_RESULTS, ({ result }) => result, { tone: testTone }),
  message: text(words('MESSAGE', '说明'), 1, ({ message }) => message, { flexible: true }),
}

export const balance = command({
  name: 'balance',
  output: { view: balanceView, many: true },
  summary: words(
    "Ask providers what is left on channels' accounts, or on those of every enabled one",
    '向服务商查询渠道账户（默认全部已启用的渠道）的余额',
  ),
  failsWhen: words('a provider does not report it', '有服务商无法查询'),
  arguments: { channels: someChannels },
  options: { tag: tagOption },
  async run({ client, print, ask, args, options: { tag }, language, failed }) {
    const weir = await client()
    const isAll = args.channels.length === 0 && tag === undefined
    const chosen = isAll
      ? (await everyChannel(weir)).filter(({ status }) => status === CHANNEL_STATUS.enabled)
      : await chosenChannels(weir, args.channels, tag)
    const rows: TestFlags[] = []
    const asking = (async () => {
      for (const { id, name } of chosen) {
        try {
          const { balance } = await weir.channels.updateBalance({ id })
          rows.push({ id, name, result: 'ok', balance })
        } catch (error) {
          if (error instanceof Unreachable) throw error
          rows.push({ id, name, result: 'failed', message: toCliFailure(error, language)?.message })
        }
      }
    })()
    await ask.during(() => {
      const far = `${progressBar(rows.length, chosen.length)} ${rows.length}/${chosen.length}`
      return words(`Asking ${far}`, `正在查询 ${far}`)
    }, asking)
    await print.list(rows, balanceView, { empty: NONE })
    if (rows.some(({ result }) => result === 'failed')) failed()
  },
})
