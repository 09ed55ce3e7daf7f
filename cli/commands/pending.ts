// `weir ledger pending` and `weir ledger retry`: charges that are not booked.
import { words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { colorizeTexts } from '../language.ts'
import { letterView, retriedView } from '../nouns/dead-letter.ts'

export const pending = command({
  name: 'pending',
  readOnly: true,
  output: { view: letterView, many: true },
  summary: words('Charges that storage refused, and how many wait for it', '被存储拒绝的扣费，以及等待存储的扣费数量'),
  details: words(
    'A charge that waits is booked by itself when storage is back. One that was refused for what it says stays in this list until it is booked: see to the reason, then `weir ledger retry`.',
    '等待中的扣费会在存储恢复后自动入账。因内容被拒绝的扣费会留在此列表中，直到入账：请先处理其原因，再运行 `weir ledger retry`。',
  ),
  async run({ client, print }) {
    const { waiting, refused } = await (await client()).quota.pending()
    const { charges, waited_ms, safe } = waiting
    if (charges > 0) {
      const where = safe ? words('in the journal', '在日志文件中') : words('in memory only', '仅在内存中')
      const seconds = Math.round(waited_ms / 1000)
      print.warn(
        words(
          `${charges} charges wait for storage (${where.en}), the oldest for ${seconds} s.`,
          `${charges} 笔扣费正在等待存储（${where.zh}），最久的已等待 ${seconds} 秒。`,
        ),
      )
    }
    await print.list(refused, letterView, { empty: words('No charge was refused.', '没有被拒绝的扣费。') })
  },
})

export const retry = command({
  name: 'retry',
  output: { view: retriedView, many: true },
  summary: words('Ask once more for charges that were refused', '重试被拒绝的扣费'),
  failsWhen: words('one of them is refused again', '其中一笔再次被拒绝'),
  arguments: {
    charges: {
      spec: '[charges...]',
      help: words('their holds, as `pending` shows them', '预扣编号，如 `pending` 所示'),
    },
  },
  options: { all: { flag: '--all', help: words('all of them', '全部') } },
  async run({ client, print, args, options, failed }) {
    const weir = await client()
    const named = args.charges ?? []
    if (named.length > 0 === (options.all ?? false))
      throw new UsageError(words('Name the charges, or give --all.', '请给出扣费编号，或使用 --all。'))
    const hold_ids = options.all ? (await weir.quota.pending()).refused.map(({ hold_id }) => hold_id) : named
    if (hold_ids.length === 0)
      return print.list([], retriedView, { empty: words('No charge was refused.', '没有被拒绝的扣费。') })
    const results = await weir.quota.retry({ hold_ids })
    await print.list(results, retriedView)
    const booked = results.filter((result) => result.booked).length
    print.say(
      colorizeTexts(
        print,
        words(`${booked} of ${results.length} are booked.`, `${results.length} 笔中已有 ${booked} 笔入账。`),
        booked === results.length ? 'good' : 'bad',
      ),
    )
    if (booked < results.length) failed()
  },
})
