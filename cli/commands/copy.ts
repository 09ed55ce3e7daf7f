// `weir copy`: the whole installation into another database.
import { fillTemplate, words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { Refusal } from '../failure.ts'
import { refuseRunning, refuseServer } from '../here.ts'
import { need } from '../flags.ts'
import { asData, concatTexts, colorizeTexts } from '../language.ts'
import { cameOver, databaseCopyView, LEDGER_WRONG } from '../nouns/copy.ts'
import { withProgress } from '../progress.ts'

const STEPS = { copy: words('Copying', '正在复制'), check: words('Reading back', '正在回读') }

export const copy = command({
  name: 'copy',
  here: true,
  output: { view: databaseCopyView, many: false },
  summary: words(
    'Copy everything into another database: from SQLite to PostgreSQL, or back',
    '将全部数据复制到另一数据库：从 SQLite 到 PostgreSQL，或反向',
  ),
  details: words(
    'Weir must not be running, and the target must be empty. Every row is read back and compared, and the ledger is proven in the copy. Whatever ends it, nobody serves half of a copy, and the same command goes on where it was. The database that was copied is left as it is.\n\nCalls in progress end as at a crash: nothing of them was charged. Keys, receipts and sessions go on in the copy, which needs the same master secret: a folder gets its key file.',
    'Weir 不能正在运行，目标须为空。每条记录都会回读比对，并在副本中核对账本。无论因何中断，都不会有人使用半份副本，再次运行同一命令即可继续。来源数据库保持不变。\n\n进行中的调用如同崩溃时一样结束，且未计费。密钥、收据与会话在副本中继续有效；副本需要同一主密钥：目标为目录时会一并写入密钥文件。',
  ),
  options: {
    to: {
      flag: '--to <place>',
      help: words('a postgres:// address, or a data folder for SQLite', 'postgres:// 地址，或用于 SQLite 的数据目录'),
    },
  },
  async run(context) {
    const { config, options, print, server } = context
    refuseServer('copy', server)
    need({ '--to': options.to })
    await refuseRunning(context)
    const { copyDatabase } = await import('../../core/adapters/node.ts')
    const made = await withProgress(context, (report) =>
      copyDatabase(config, options.to ?? '', ({ table, step, ...part }) =>
        report({ step: STEPS[step], what: table, ...part }),
      ),
    )
    const start = made.kind === 'postgres' ? '--database' : '--data'
    await print.done(made, databaseCopyView, {
      human: concatTexts([
        colorizeTexts(print, fillTemplate(COPIED, { place: asData(made.place) }), 'good'),
        fillTemplate(CAME, { came: cameOver(made) }),
        fillTemplate(NEXT, { start: asData(`weir serve ${start} ${options.to}`) }),
      ]),
      bare: made.place,
    })
    if (!made.ledger.ok) throw new Refusal(LEDGER_WRONG, 'ledger.wrong')
  },
})

const COPIED = words('Copied to {place}.', '已复制到 {place}。')
const CAME = words('  Checked  {came}', '  已核对  {came}')
const NEXT = words('  Next     {start}', '  下一步  {start}')
