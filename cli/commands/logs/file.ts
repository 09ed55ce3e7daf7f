// `weir logs export`: the log as a file.
import { words } from '../../../core/errors.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { command } from '../../command.ts'
import { logFilterOf, logFilterOptions } from '../../nouns/log.ts'
import { outOption, writeOut } from '../../out.ts'
import { channelFilter } from './look.ts'

export const exportRows = command({
  name: 'export',
  looks: true,
  summary: words('Write rows of the usage log as CSV or JSON lines', '将使用日志导出为 CSV 或 JSON Lines'),
  options: {
    ...logFilterOptions,
    format: {
      flag: '--format <format>',
      help: words(
        'csv or one JSON object a line (otherwise csv, with --json JSON)',
        'csv 或每行一个 JSON 对象（默认 csv；带 --json 时为 JSON）',
      ),
      choices: EXPORT_FORMATS,
    },
    out: outOption,
  },
  async run({ client, print, options }) {
    const filter = logFilterOf(options)
    const weir = await client()
    const channel = await channelFilter(weir, options.channel)
    const format = (options.format ?? (print.json ? 'jsonl' : 'csv')) as ExportFormat
    const { pieces } = await weir.logs.export({ ...filter, channel, format })
    await writeOut(print, pieces, options.out)
  },
})
