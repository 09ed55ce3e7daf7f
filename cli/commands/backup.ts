// `weir backup` and `weir restore`: everything in one file, and back.
import type { SavedBackup } from '../../core/adapters/maintenance.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { formatLocalTime } from '../output/format.ts'
import { refuseRunning, refuseServer } from '../connection/here.ts'
import { asUntranslatedText, concatTexts, colorizeTexts } from '../language.ts'
import { formatCopyCounts, LEDGER_VERIFICATION_FAILED, restoredBackupView, savedBackupView } from '../nouns/copy.ts'
import { readAgeIdentity, readPassphrase, passphraseFlagOptions } from '../input/passphrase.ts'
import { runWithProgress } from '../output/progress.ts'
import { words } from '../texts.ts'

const STEPS = {
  make: words('Copying the database'),
  write: words('Written'),
  read: words('Reading'),
  check: words('Reading back'),
  copy: words('Copying'),
}

export const backupCommand = command({
  name: 'backup',
  output: { view: savedBackupView, many: false },
  summary: words('Write everything into one file, while Weir keeps running'),
  details: words(
    'The file is a snapshot of the whole database. It is read back before it gets its name: checksums, schema, rows of each table, and the ledger. With --server, the server verifies the ledger. Channel keys and secret settings are encrypted with the master secret, which is only in the file with --with-key. Keep the key file in another place: without it the backup cannot be used.\n\nEncrypted files are those of age (age-encryption.org); the others are a compressed tar archive. Calls in progress are not included, because they are not charged yet. During the backup the disk needs room for two copies of the database: one in the data folder and one next to the file.',
  ),
  arguments: { file: { spec: '<file>', help: words('the file to write') } },
  options: {
    withKey: {
      flag: '--with-key',
      help: words('with the master secret, on this machine; the file must be encrypted then'),
    },
    recipient: {
      flag: '--recipient <key>',
      help: words('encrypt it for this age public key (age1…)'),
    },
    ...passphraseFlagOptions,
    unencryptedKey: {
      flag: '--unencrypted-key',
      help: words('with --with-key: leave the master secret unencrypted in the file'),
    },
    force: { flag: '--force', help: words('replace a file of this name') },
  },
  async run(context) {
    const { args, client, connection, options, print, server } = context
    const { recipient, withKey = false, unencryptedKey, force } = options
    if (withKey && server !== undefined) throw new UsageError(KEY_STAYS)
    const phrase = await readPassphrase(context, options, { isNew: true })
    if (phrase !== undefined && recipient !== undefined) throw new UsageError(ONE_OF_TWO)
    const sealed = phrase !== undefined ? { passphrase: phrase } : recipient === undefined ? null : { recipient }
    if (withKey && !sealed && !unencryptedKey) throw new UsageError(KEY_IS_BARE)
    const { saveBackup } = await import('../../core/adapters/maintenance.ts')
    const weir = await client()
    const local = (await connection()).via !== 'remote'
    const saved = await runWithProgress(context, (onProgress) => {
      onProgress({ step: STEPS.make, what: '', done: 0, total: 0 })
      return saveBackup({
        file: args.file,
        overwrite: force === true,
        sealed,
        withKey,
        // With the master secret available, the ledger is verified in the file itself.
        make: async () => (await weir.backups.make({ prove: !local })).pieces,
        ...(local ? { config: context.config } : {}),
        onProgress: (step, done, total) => onProgress({ step: STEPS[step], what: '', done, total }),
      })
    })
    await print.done(saved, savedBackupView, { human: report(saved, print), quietOutput: saved.file })
    if (saved.ledger && !saved.ledger.ok) throw new GatewayRefusal(LEDGER_VERIFICATION_FAILED, 'ledger.wrong')
  },
})

const KEY_STAYS = words(
  'The master secret never leaves its machine: --with-key does not accept --server (WEIR_SERVER).',
)
const ONE_OF_TWO = words('Give a passphrase or --recipient, not both.')
const KEY_IS_BARE = words(
  'With --with-key the file must be encrypted: give --recipient, --passphrase or --passphrase-file; or add --unencrypted-key.',
)

const MADE = words('Backed up to {file}.')
const CHECKED = words('  Checked  {came}')
const WITHOUT_KEY = words(
  '  Key      not included: keep the key file (or WEIR_SECRET) in another place, the backup cannot be used without it',
)
const WITH_KEY = words('  Key      in it')

function report(saved: SavedBackup, print: Parameters<typeof colorizeTexts>[0]) {
  const { ledger, tables, file, has_key } = saved
  return concatTexts([
    colorizeTexts(print, fillTemplate(MADE, { file: asUntranslatedText(file) }), 'good'),
    ...(ledger ? [fillTemplate(CHECKED, { came: formatCopyCounts({ tables, ledger }) })] : []),
    has_key ? WITH_KEY : WITHOUT_KEY,
  ])
}

export const restoreCommand = command({
  name: 'restore',
  here: true,
  output: { view: restoredBackupView, many: false },
  summary: words('Restore a backup where no database exists yet'),
  details: words(
    'Into the data folder (--data), or an empty PostgreSQL database (--database). A backup of an earlier version is migrated; one of a later version is refused. The master secret comes from the backup, from weir.key in the data folder, or from WEIR_SECRET. The database is put in place last. If the command is interrupted, no partial database is used; run the same command again to finish.',
  ),
  arguments: { file: { spec: '<file>', help: words('the backup') } },
  options: {
    ...passphraseFlagOptions,
    identityFile: {
      flag: '--identity-file <file>',
      help: words('file with the age secret key that it was encrypted for'),
    },
  },
  async run(context) {
    const { args, ask, config, options, print, server } = context
    refuseServer('restore', server)
    await refuseRunning(context)
    const { isEncryptedFile: isSealed, restoreBackup } = await import('../../core/adapters/maintenance.ts')
    const sealed = await isSealed(args.file).catch((error: NodeJS.ErrnoException) => {
      throw new GatewayRefusal(
        fillTemplate(NO_FILE, { file: asUntranslatedText(args.file), why: asUntranslatedText(error.code ?? '') }),
        'file.unreadable',
      )
    })
    const identity = await readAgeIdentity(options.identityFile)
    const withPassphrase = {
      ...options,
      passphrase: sealed && identity === undefined && (options.passphrase || ask.possible),
    }
    const passphrase = sealed ? await readPassphrase(context, withPassphrase, { isNew: false }) : undefined
    const restored = await runWithProgress(context, (report) =>
      restoreBackup(config, args.file, { passphrase, identity }, (step, what, done, total) =>
        report({ step: STEPS[step], what, done, total }),
      ),
    )
    await print.done(restored, restoredBackupView, {
      human: concatTexts([
        colorizeTexts(
          print,
          fillTemplate(RESTORED, {
            place: asUntranslatedText(restored.place),
            at: asUntranslatedText(formatLocalTime(restored.backup.made_at)),
          }),
          'good',
        ),
        fillTemplate(CHECKED, { came: formatCopyCounts(restored) }),
      ]),
      quietOutput: restored.place,
    })
    if (!restored.ledger.ok) throw new GatewayRefusal(LEDGER_VERIFICATION_FAILED, 'ledger.wrong')
  },
})

const RESTORED = words('Restored to {place}, as of {at}.')
const NO_FILE = words('{file} cannot be read ({why}).')
