// `weir logs export`: the log as a file.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { words } from '../../../core/errors.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { command } from '../../command.ts'
import { logFilterOf, logFilterOptions } from '../../nouns/log.ts'
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
    out: {
      flag: '--out <file>',
      help: words('write to this file (otherwise to standard output)', '写入此文件（默认写到标准输出）'),
    },
  },
  async run({ client, print, options }) {
    const filter = logFilterOf(options)
    const weir = await client()
    const channel = await channelFilter(weir, options.channel)
    const format = (options.format ?? (print.json ? 'jsonl' : 'csv')) as ExportFormat
    const { pieces } = await weir.logs.export({ ...filter, channel, format })
    if (options.out === undefined) return print.file(pieces)
    await pipeline(Readable.from(pieces), createWriteStream(options.out))
    print.say(words(`Written to ${options.out}.`, `已写入 ${options.out}。`))
  },
})
