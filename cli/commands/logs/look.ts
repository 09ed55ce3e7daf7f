// `weir logs ls` and `tail`: rows of the usage log, once or as they come.
import { words } from '../../../core/errors.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { command } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { followLogs } from '../../log-follower.ts'
import { needChannel } from '../../nouns/channel.ts'
import { logFilterOf, logFilterOptions, logView } from '../../nouns/log.ts'
import { pageAsked, pageOptions, tellMore } from '../../paging.ts'

const USUAL = 20

/** The id that filters by a channel; 0 filters nothing. */
export const channelFilter = async (weir: WeirClient, name: string | undefined): Promise<number> =>
  name === undefined ? 0 : /^\d+$/.test(name) ? Number(name) : (await needChannel(weir, name)).id

export const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  looks: true,
  gives: { view: logView, many: true },
  summary: words(
    'List the usage log, newest first; with --follow new rows as they come',
    '列出使用日志，最新的在前；加 --follow 时持续显示新记录',
  ),
  options: {
    follow: {
      flag: '--follow',
      help: words(
        'show the last rows and then new ones until Ctrl+C',
        '先显示最近的记录，再持续显示新记录，直到 Ctrl+C',
      ),
    },
    ...logFilterOptions,
    ...pageOptions(USUAL),
  },
  async run(context) {
    const { client, options, print } = context
    const filter = logFilterOf(options)
    const slice = pageAsked(options, USUAL)
    if (options.follow) return followLogs(context, { filter, channel: options.channel, page_size: slice.page_size })
    const weir = await client()
    const channel = await channelFilter(weir, options.channel)
    const page = await weir.logs.list({ ...filter, channel, ...slice })
    await print.list(page.items, logView, { empty: words('No rows.', '没有记录。') })
    tellMore(print, page.items.length, page.total)
  },
})

export const tail = command({
  name: 'tail',
  gives: { view: logView, many: true },
  summary: words(
    'Follow the usage log: the last rows and then new ones until Ctrl+C',
    '跟踪使用日志：先显示最近的记录，再持续显示新记录，直到 Ctrl+C',
  ),
  options: {
    ...logFilterOptions,
    last: {
      flag: '--last <number>',
      help: words('rows to begin with, up to 100 (otherwise 10)', '开始时显示的行数，最多 100（默认 10）'),
    },
  },
  async run(context) {
    const { options } = context
    const page_size = wholeNumber('--last', options.last ?? '10')
    await followLogs(context, { filter: logFilterOf(options), channel: options.channel, page_size })
  },
})
