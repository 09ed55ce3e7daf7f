// `weir migrate`: lists or runs the migrations of the database.
import type { SchemaSteps } from '../../core/adapters/node.ts'
import { fillTemplate, words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { refuseRunning, refuseServer } from '../here.ts'
import { asData, concatTexts, colorizeTexts, type Said } from '../language.ts'
import { count, list, text, type View } from '../view.ts'

const stepsView: View<SchemaSteps> = {
  place: text(words('PLACE', '位置'), 1, ({ place }) => place),
  applied: count(words('STEPS TAKEN', '已执行步骤'), 1, ({ applied }) => applied),
  missing: list(words('MISSING', '缺少'), 1, ({ missing }) => missing),
  newer: list(words('NEWER', '更新版本的'), 1, ({ newer }) => newer),
}

export const migrate = command({
  name: 'migrate',
  here: true,
  output: { view: stepsView, many: false },
  summary: words(
    'Bring the database to the schema of this version; with --check only show the steps',
    '将数据库升级到此版本的结构；加 --check 时仅说明将执行什么',
  ),
  details: words(
    'Weir does this by itself when it starts. All steps are taken in one transaction. They add, so that the version before serves beside this one and can be gone back to; what takes something away keeps back older ones. --check writes nothing and works while Weir runs.',
    'Weir 启动时会自动执行。所有步骤在一个事务中完成。步骤只增不减，因此上一版本可与此版本同时运行，也可回退；会移除内容的步骤将阻止更旧的版本启动。--check 不写入任何内容，Weir 运行时也可使用。',
  ),
  failsWhen: words(
    'with --check: steps are missing, or the database is of a newer version',
    '使用 --check 时：缺少步骤，或数据库属于更新的版本',
  ),
  options: { check: { flag: '--check', help: words('only look', '仅查看') } },
  async run(context) {
    const { config, failed, options, print, server } = context
    refuseServer('migrate', server)
    const { schemaSteps, takeSteps } = await import('../../core/adapters/node.ts')
    if (!options.check) await refuseRunning(context)
    const steps = options.check ? await schemaSteps(config) : await takeSteps(config)
    const { missing, newer } = steps
    const isFine = !options.check || (missing.length === 0 && newer.length === 0)
    if (!isFine) failed()
    await print.done(steps, stepsView, {
      human: colorizeTexts(print, report(steps, options.check === true), isFine ? 'good' : 'bad'),
      bare: missing.join('\n'),
    })
  },
})

function report({ missing, newer, applied }: SchemaSteps, isCheck: boolean): Said {
  if (newer.length > 0) return concatTexts([NEWER, ...newer.map(line)])
  if (missing.length === 0) return fillTemplate(UP_TO_DATE, { applied })
  return concatTexts([isCheck ? MISSING : TAKEN, ...missing.map(line)])
}

const line = (name: string): Said => asData(`  ${name}`)
const UP_TO_DATE = words('The database is up to date: {applied} steps.', '数据库已是最新：共 {applied} 个步骤。')
const MISSING = words('These steps are missing:', '缺少以下步骤：')
const TAKEN = words('These steps were taken:', '已执行以下步骤：')
const NEWER = words(
  'A newer version of Weir has been at the database. It has these steps, beside which this one starts where they only add:',
  '更新版本的 Weir 已使用过此数据库。它含有以下步骤；若这些步骤只增不减，此版本仍可启动：',
)
