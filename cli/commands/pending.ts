// `weir ledger pending` and `weir ledger retry`: charges that are not booked.
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { colorizeTexts } from '../language.ts'
import { deadLetterView, retriedLetterView } from '../nouns/dead-letter.ts'
import { words } from '../texts.ts'

export const pendingCommand = command({
  endpoint: 'quota.pending',
  name: 'pending',
  readOnly: true,
  output: { view: deadLetterView, many: true },
  summary: words('List charges that storage refused, and count those that wait for it'),
  details: words(
    'Waiting charges are booked automatically when the database is back. Rejected charges stay in this list: fix the cause, then run `weir ledger retry`.',
  ),
  async run({ client, print }) {
    const { waiting, refused } = await (await client()).quota.pending()
    const { charges, waited_ms, safe } = waiting
    if (charges > 0) {
      const where = safe ? words('in the journal') : words('in memory only')
      const seconds = Math.round(waited_ms / 1000)
      print.warn(
        fillTemplate(words('{charges} charges wait for storage ({where}), the oldest for {seconds} s.'), {
          charges,
          where,
          seconds,
        }),
      )
    }
    await print.list(refused, deadLetterView, { empty: words('No charge was refused.') })
  },
})

export const retryCommand = command({
  endpoint: 'quota.retry',
  name: 'retry',
  output: { view: retriedLetterView, many: true },
  summary: words('Retry charges that were refused'),
  failsWhen: words('one of them is refused again'),
  arguments: {
    charges: {
      spec: '[charges...]',
      help: words('their holds, as `pending` shows them'),
    },
  },
  options: { all: { flag: '--all', help: words('all of them') } },
  async run({ client, print, args, options, failed }) {
    const weir = await client()
    const named = args.charges ?? []
    if (named.length > 0 === (options.all ?? false)) throw new UsageError(words('Name the charges, or give --all.'))
    const hold_ids = options.all ? (await weir.quota.pending()).refused.map(({ hold_id }) => hold_id) : named
    if (hold_ids.length === 0) return print.list([], retriedLetterView, { empty: words('No charge was refused.') })
    const results = await weir.quota.retry({ hold_ids })
    await print.list(results, retriedLetterView)
    const booked = results.filter((result) => result.booked).length
    print.say(
      colorizeTexts(
        print,
        fillTemplate(words('{booked} of {results} are booked.'), { booked, results: results.length }),
        booked === results.length ? 'good' : 'bad',
      ),
    )
    if (booked < results.length) failed()
  },
})
