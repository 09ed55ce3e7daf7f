// `weir logs home` and `weir logs move`: the places outside the database where rows of the log are stored.
import type { WeirClient } from '../../../core/contracts.ts'
import { composeWords, fillTemplate, EMPTY_WORDS, type Words } from '../../../core/errors.ts'
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { drawProgressBar } from '../../output/progress.ts'
import { command } from '../../command.ts'
import { GatewayRefusal, UsageError } from '../../failure.ts'
import { waitOrAbort } from '../../signals.ts'
import { words } from '../../texts.ts'
import { count, object, text, type OutputView } from '../../output/view.ts'

type Report = Awaited<ReturnType<WeirClient['logs']['home']>>

const POLL_MS = 500

const homeView: OutputView<Report> = {
  home: text(words('HOME'), 1, ({ home }) => home),
  place: count(words('UP TO ROW'), 1, ({ place }) => place),
  settled: count(words('OF ROWS'), 1, ({ settled }) => settled),
  failure: text(words('FAILURE'), 2, ({ failure }) => failure, {
    shown: ({ failure }, { language }) => translateStoredFailure(failure, language),
  }),
  months: count(words('TABLES BY MONTH'), 1, ({ months }) => months),
  divided: count(words('DIVIDED, %'), 2, ({ divided }) => divided),
  move: object(words('MOVE'), ({ move }) => move),
}

/** Failures are stored in English. */
const failureWords = (failure: string): Words =>
  composeWords((language) => (language === 'en' ? failure : translateStoredFailure(failure, language)))

const whereWords = ({ home, place, settled, failure, months, divided }: Report): Words => {
  if (home === '' && months > 0)
    return fillTemplate(words('All rows of the log are in the database, in {months} tables by month.'), { months })
  if (home === '' && divided > 0)
    return fillTemplate(
      words('All rows of the log are in the database, which is being divided by month: {divided} %.'),
      { divided },
    )
  if (home === '') return words('All rows of the log are in the database.')
  if (place === 0 && failure === '')
    return fillTemplate(words('Rows of the log begin in the database and move on to {home}; none has yet.'), { home })
  const [done, all] = [place.toLocaleString('en-US'), Math.max(place, settled).toLocaleString('en-US')]
  const why = failureWords(failure)
  const stuck = failure === '' ? EMPTY_WORDS : fillTemplate(words(' It is stuck: {why}'), { why })
  return fillTemplate(words('Rows up to {done} of {all} are in {home}, those behind them in the database.{stuck}'), {
    done,
    all,
    home,
    stuck,
  })
}

export const homeCommand = command({
  endpoint: 'logs.home',
  name: 'home',
  readOnly: true,
  output: { view: homeView, many: false },
  summary: words('The place of rows of the log outside the database, and its progress'),
  async run({ client, print }) {
    const report = await (await client()).logs.home()
    await print.done(report, homeView, { human: whereWords(report), quietOutput: report.home })
  },
})

export const moveCommand = command({
  endpoint: 'logs.move',
  name: 'move',
  output: { view: homeView, many: false },
  summary: words('Move all rows of the log to another place, while calls go on'),
  details: words(
    'Rows are moved in the order of their ids and read from the old place until the end. If the move is interrupted, the same command resumes it. At the end both places are compared by day: rows, quota and tokens. Then start Weir with --logs (WEIR_LOGS) and the same address; until then new rows are also copied.\n\n`--to database` brings rows back; start Weir with `--logs database` then.',
  ),
  options: {
    to: {
      flag: '--to <address>',
      help: words('clickhouse://user:password@host:8123/database, sqlite:file, parquet:folder, or database'),
    },
  },
  async run({ client, print, ask, options, interrupted }) {
    const { to } = options
    if (to === undefined) throw new UsageError(words('Give --to with the target.'))
    const weir = await client()
    let report = await weir.logs.move({ to })
    const going = async () => {
      const signal = interrupted()
      while (report.move.running && !signal.aborted) {
        await waitOrAbort(POLL_MS, signal)
        report = await weir.logs.home()
      }
    }
    await ask.during(() => goingWords(report), going())
    const { move: moved } = report
    const why = failureWords(moved.failure)
    if (moved.failure !== '')
      throw new GatewayRefusal(fillTemplate(words('The move failed: {why}'), { why }), 'log.home')
    if (moved.differing.length > 0) throw new GatewayRefusal(differ(moved.differing), 'log.differs')
    await print.done(report, homeView, { human: movedWords(report), quietOutput: String(moved.place) })
  },
})

const goingWords = ({ move: { place, target, failure } }: Report): Words => {
  const share = `${drawProgressBar(place, target)} ${place}/${target}`
  if (failure === '') return fillTemplate(words('Moving rows {share}'), { share })
  const why = failureWords(failure)
  return fillTemplate(words('Moving rows {share} ({why})'), { share, why })
}

const dayText = (day: number): string => new Date(day * 1000).toISOString().slice(0, 10)

const differ = (days: readonly number[]): Words => {
  const named = days.map(dayText).join(', ')
  return fillTemplate(words('Both places differ on {named}: give the command again.'), { named })
}

const movedWords = ({ move: moved }: Report): Words => {
  const [last, days] = [moved.place.toLocaleString('en-US'), moved.days]
  if (moved.running) return fillTemplate(words('The move continues in the background, at {last}.'), { last })
  if (moved.to === 'database')
    return fillTemplate(
      words('Rows up to {last} are in the database again, the same on {days} days. Start Weir with --logs database.'),
      { last, days },
    )
  return fillTemplate(
    words('Rows up to {last} are in {to}, the same on {days} days. Start Weir with --logs and this address.'),
    { last, to: moved.to, days },
  )
}
