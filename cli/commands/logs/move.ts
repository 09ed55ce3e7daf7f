// `weir logs home` and `weir logs move`: the places outside the database where rows of the log are stored.
import type { WeirClient } from '../../../core/contracts.ts'
import { words, type Words } from '../../../core/errors.ts'
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { progressBar } from '../../progress.ts'
import { command } from '../../command.ts'
import { Refusal, UsageError } from '../../failure.ts'
import { pause } from '../../signals.ts'
import { count, object, text, type View } from '../../view.ts'

type Report = Awaited<ReturnType<WeirClient['logs']['home']>>

const POLL_MS = 500

const homeView: View<Report> = {
  home: text(words('HOME', '位置'), 1, ({ home }) => home),
  place: count(words('UP TO ROW', '已迁至'), 1, ({ place }) => place),
  settled: count(words('OF ROWS', '可迁至'), 1, ({ settled }) => settled),
  failure: text(words('FAILURE', '失败原因'), 2, ({ failure }) => failure, {
    shown: ({ failure }, { language }) => translateStoredFailure(failure, language),
  }),
  months: count(words('TABLES BY MONTH', '按月分表'), 1, ({ months }) => months),
  divided: count(words('DIVIDED, %', '分表进度 %'), 2, ({ divided }) => divided),
  move: object(words('MOVE', '迁移'), ({ move }) => move),
}

/** Failures are stored in English. */
const failureWords = (failure: string): Words => words(failure, translateStoredFailure(failure, 'zh'))

const whereWords = ({ home, place, settled, failure, months, divided }: Report): Words => {
  if (home === '' && months > 0)
    return words(
      `All rows of the log are in the database, in ${months} tables by month.`,
      `日志记录均在数据库中，按月分为 ${months} 张表。`,
    )
  if (home === '' && divided > 0)
    return words(
      `All rows of the log are in the database, which is being divided by month: ${divided} %.`,
      `日志记录均在数据库中，正在按月分表：${divided} %。`,
    )
  if (home === '') return words('All rows of the log are in the database.', '日志记录均在数据库中。')
  if (place === 0 && failure === '')
    return words(
      `Rows of the log begin in the database and move on to ${home}; none has yet.`,
      `日志记录先写入数据库，随后迁往 ${home}；目前尚无记录迁移。`,
    )
  const [done, all] = [place.toLocaleString('en-US'), Math.max(place, settled).toLocaleString('en-US')]
  const why = failureWords(failure)
  const stuck = failure === '' ? words('', '') : words(` It does not get on: ${why.en}`, ` 目前受阻：${why.zh}`)
  return words(
    `Rows up to ${done} of ${all} are in ${home}, those behind them in the database.${stuck.en}`,
    `编号 ${done}（共至 ${all}）及之前的记录在 ${home}，其后的在数据库中。${stuck.zh}`,
  )
}

export const home = command({
  name: 'home',
  readOnly: true,
  output: { view: homeView, many: false },
  summary: words(
    'The place of rows of the log outside the database, and its progress',
    '日志记录保存在数据库之外的何处，以及迁移进度',
  ),
  async run({ client, print }) {
    const report = await (await client()).logs.home()
    await print.done(report, homeView, { human: whereWords(report), bare: report.home })
  },
})

export const move = command({
  name: 'move',
  output: { view: homeView, many: false },
  summary: words(
    'Move all rows of the log to another place, while calls go on',
    '将全部日志记录迁移到另一位置，调用不中断',
  ),
  details: words(
    'Rows are brought in the order of their ids and asked for where they were until the end; what was ended goes on where it was when the command is given again. At the end both places are compared by day, in rows, quota and tokens. Start Weir with --logs (WEIR_LOGS) and the same address then: until that the new place follows the old one.\n\n`--to database` brings rows back; start Weir with `--logs database` then.',
    '记录按编号顺序迁移，结束前仍从原位置读取；中断后再次执行将从中断处继续。结束时按日核对两处的记录数、额度与 token 数。随后以 --logs（WEIR_LOGS）及相同地址启动 Weir；在此之前新位置会跟随旧位置。\n\n`--to database` 将记录迁回数据库；随后以 `--logs database` 启动 Weir。',
  ),
  options: {
    to: {
      flag: '--to <address>',
      help: words(
        'clickhouse://user:password@host:8123/database, sqlite:file, parquet:folder, or database',
        'clickhouse://用户:密码@主机:8123/数据库、sqlite:文件、parquet:目录，或 database',
      ),
    },
  },
  async run({ client, print, ask, options, interrupted }) {
    const { to } = options
    if (to === undefined) throw new UsageError(words('Give --to with the target.', '请以 --to 指定目标位置。'))
    const weir = await client()
    let report = await weir.logs.move({ to })
    const going = async () => {
      const signal = interrupted()
      while (report.move.running && !signal.aborted) {
        await pause(POLL_MS, signal)
        report = await weir.logs.home()
      }
    }
    await ask.during(() => goingWords(report), going())
    const { move: moved } = report
    const why = failureWords(moved.failure)
    if (moved.failure !== '') throw new Refusal(words(`The move failed: ${why.en}`, `迁移失败：${why.zh}`), 'log.home')
    if (moved.differing.length > 0) throw new Refusal(differ(moved.differing), 'log.differs')
    await print.done(report, homeView, { human: movedWords(report), bare: String(moved.place) })
  },
})

const goingWords = ({ move: { place, target, failure } }: Report): Words => {
  const share = `${progressBar(place, target)} ${place}/${target}`
  if (failure === '') return words(`Moving rows ${share}`, `正在迁移记录 ${share}`)
  const why = failureWords(failure)
  return words(`Moving rows ${share} (${why.en})`, `正在迁移记录 ${share}（${why.zh}）`)
}

const dayText = (day: number): string => new Date(day * 1000).toISOString().slice(0, 10)

const differ = (days: readonly number[]): Words => {
  const named = days.map(dayText).join(', ')
  return words(
    `Both places differ on ${named}: give the command again.`,
    `两处在以下日期不一致：${named}，请再次执行。`,
  )
}

const movedWords = ({ move: moved }: Report): Words => {
  const [last, days] = [moved.place.toLocaleString('en-US'), moved.days]
  if (moved.running)
    return words(`The move continues in the background, at ${last}.`, `迁移在后台继续，目前至 ${last}。`)
  if (moved.to === 'database')
    return words(
      `Rows up to ${last} are in the database again, the same on ${days} days. Start Weir with --logs database.`,
      `编号 ${last} 及之前的记录已迁回数据库，${days} 天核对一致。请以 --logs database 启动 Weir。`,
    )
  return words(
    `Rows up to ${last} are in ${moved.to}, the same on ${days} days. Start Weir with --logs and this address.`,
    `编号 ${last} 及之前的记录已在 ${moved.to}，${days} 天核对一致。请以 --logs 及此地址启动 Weir。`,
  )
}
