// `weir compact`: returns the free space in SQLite files to the disk.
import type { CompactedFile } from '../../core/adapters/node.ts'
import { words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { refuseRunning, refuseServer } from '../here.ts'
import { count, text, type View } from '../view.ts'

const compactedView: View<CompactedFile> = {
  file: text(words('FILE', '文件'), 1, ({ file }) => file),
  before: count(words('BYTES BEFORE', '此前字节'), 1, ({ before }) => before),
  after: count(words('BYTES', '字节'), 1, ({ after }) => after),
}

export const compact = command({
  name: 'compact',
  here: true,
  output: { view: compactedView, many: true },
  summary: words(
    'Give the room of what is gone from the files of SQLite back to the disk',
    '将 SQLite 文件中已删除内容所占的空间归还磁盘',
  ),
  details: words(
    'The database and the file of the log beside it keep the room of removed rows for new ones. This writes them anew without it (VACUUM), some seconds for each gigabyte that stays. Weir must not be running, and the disk needs as much room as the larger of them has. Whatever ends it, the files are as they were.',
    '数据库及其旁的日志文件会保留已删除记录的空间以供新记录使用。此命令会重写文件以去除这些空间（VACUUM），每保留 1 GB 约需数秒。Weir 不能正在运行，磁盘剩余空间须不少于较大文件的大小。无论因何中断，文件保持原样。',
  ),
  async run(context) {
    const { config, print, server } = context
    refuseServer('compact', server)
    await refuseRunning(context)
    const { compactDatabase } = await import('../../core/adapters/node.ts')
    const files = await compactDatabase(config)
    await print.list(files, compactedView, { empty: words('No files found.', '没有文件。') })
  },
})
