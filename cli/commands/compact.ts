// `weir compact`: returns the free space in SQLite files to the disk.
import type { CompactedFile } from '../../core/adapters/maintenance.ts'
import { command } from '../command.ts'
import { refuseRunning, refuseServer } from '../connection/here.ts'
import { words } from '../texts.ts'
import { count, text, type OutputView } from '../output/view.ts'

const compactedView: OutputView<CompactedFile> = {
  file: text(words('FILE'), 1, ({ file }) => file),
  before: count(words('BYTES BEFORE'), 1, ({ before }) => before),
  after: count(words('BYTES'), 1, ({ after }) => after),
}

export const compactCommand = command({
  name: 'compact',
  here: true,
  output: { view: compactedView, many: true },
  summary: words('Shrink the SQLite files: return the space of deleted rows to the disk'),
  details: words(
    'The database and the log file next to it reuse the space of removed rows for new ones. This command rewrites both files without that space (VACUUM), in some seconds per remaining gigabyte. Weir must not be running, and the disk needs free space for a copy of the larger file. If the command is interrupted, the files are unchanged.',
  ),
  async run(context) {
    const { config, print, server } = context
    refuseServer('compact', server)
    await refuseRunning(context)
    const { compactDatabase } = await import('../../core/adapters/maintenance.ts')
    const files = await compactDatabase(config)
    await print.list(files, compactedView, { empty: words('No files found.') })
  },
})
