// `weir backup` and `weir restore`: everything in one file, and back.
import type { SavedBackup } from '../../core/adapters/node.ts'
import { fillTemplate, words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { Refusal, UsageError } from '../failure.ts'
import { timeText } from '../format.ts'
import { refuseRunning, refuseServer } from '../here.ts'
import { asData, concatTexts, colorizeTexts } from '../language.ts'
import { cameOver, LEDGER_WRONG, restoredView, savedBackupView } from '../nouns/copy.ts'
import { identityOf, readPassphrase, passphraseOptions } from '../passphrase.ts'
import { withProgress } from '../progress.ts'

const STEPS = {
  make: words('Copying the database', '正在复制数据库'),
  write: words('Written', '已写入'),
  read: words('Reading', '正在读取'),
  check: words('Reading back', '正在回读'),
  copy: words('Copying', '正在复制'),
}

export const backup = command({
  name: 'backup',
  output: { view: savedBackupView, many: false },
  summary: words(
    'Write everything into one file, while Weir keeps running',
    '在 Weir 运行的同时，将全部数据写入一个文件',
  ),
  details: words(
    'The file holds everything as of one moment, and is read back before it gets its name: its sums, the steps of the schema, the rows of each table, and the ledger. Of a server (--server) the ledger is proven there. What encrypts channel keys and secret settings is the master secret, which is not in the file unless --with-key puts it there: keep the key file elsewhere, for without it nobody can use a backup.\n\nEncrypted files are those of age (age-encryption.org); the others are a compressed tar archive. Calls in progress are not in it: nothing of them was charged yet. The disk needs room for the database twice for a moment, once in the data folder and once beside the file.',
    '文件包含某一时刻的全部数据，并在获得正式名称前回读核对：校验和、结构步骤、每张表的记录数以及账本。远程（--server）时账本在服务器上核对。渠道密钥与机密设置由主密钥加密；除非使用 --with-key，文件中不含主密钥：请另行保存密钥文件，缺少它便无人能使用备份。\n\n加密文件为 age 格式（age-encryption.org）；未加密的为压缩的 tar 归档。进行中的调用不在其中：它们尚未计费。期间磁盘需要约两倍数据库的空间：数据目录中一份，文件旁一份。',
  ),
  arguments: { file: { spec: '<file>', help: words('the file to write', '要写入的文件') } },
  options: {
    withKey: {
      flag: '--with-key',
      help: words(
        'with the master secret, on this machine; the file must be encrypted then',
        '含主密钥（仅限本机）；此时文件须加密',
      ),
    },
    recipient: {
      flag: '--recipient <key>',
      help: words('encrypted for this public key of age (age1…)', '用此 age 公钥加密（age1…）'),
    },
    ...passphraseOptions,
    unencryptedKey: {
      flag: '--unencrypted-key',
      help: words(
        'with --with-key: leave the master secret unencrypted in the file',
        '与 --with-key 合用：主密钥在文件中不加密，得到文件者即可读取',
      ),
    },
    force: { flag: '--force', help: words('replace a file of this name', '替换同名文件') },
  },
  async run(context) {
    const { args, client, connection, options, print, server } = context
    const { recipient, withKey = false, unencryptedKey, force } = options
    if (withKey && server !== undefined) throw new UsageError(KEY_STAYS)
    const phrase = await readPassphrase(context, options, { isNew: true })
    if (phrase !== undefined && recipient !== undefined) throw new UsageError(ONE_OF_TWO)
    const sealed = phrase !== undefined ? { passphrase: phrase } : recipient === undefined ? null : { recipient }
    if (withKey && !sealed && !unencryptedKey) throw new UsageError(KEY_IS_BARE)
    const { saveBackup } = await import('../../core/adapters/node.ts')
    const weir = await client()
    const local = (await connection()).via !== 'remote'
    const saved = await withProgress(context, (onProgress) => {
      onProgress({ step: STEPS.make, what: '', done: 0, total: 0 })
      return saveBackup({
        file: args.file,
        overwrite: force === true,
        sealed,
        withKey,
        // With the master secret available, the ledger is verified in the file itself.
        make: async () => (await weir.backups.make({ prove: !local })).pieces,
        ...(local ? { config: context.config } : {}),
        tell: (step, done, total) => onProgress({ step: STEPS[step], what: '', done, total }),
      })
    })
    await print.done(saved, savedBackupView, { human: report(saved, print), bare: saved.file })
    if (saved.ledger && !saved.ledger.ok) throw new Refusal(LEDGER_WRONG, 'ledger.wrong')
  },
})

const KEY_STAYS = words(
  'The master secret never leaves its machine: --with-key takes no --server (WEIR_SERVER).',
  '主密钥不会离开其所在机器：--with-key 不接受 --server（WEIR_SERVER）。',
)
const ONE_OF_TWO = words('Give a passphrase or --recipient, not both.', '请只给出密码短语或 --recipient 之一。')
const KEY_IS_BARE = words(
  'With --with-key the file must be encrypted: give --recipient, --passphrase or --passphrase-file; or say --unencrypted-key.',
  '使用 --with-key 时文件须加密：请给出 --recipient、--passphrase 或 --passphrase-file；或明确给出 --unencrypted-key。',
)

const MADE = words('Backed up to {file}.', '已备份到 {file}。')
const CHECKED = words('  Checked  {came}', '  已核对  {came}')
const WITHOUT_KEY = words(
  '  Key      not in it: keep the key file (or WEIR_SECRET) elsewhere, nobody can use the backup without it',
  '  密钥    不在其中：请另行保存密钥文件（或 WEIR_SECRET），缺少它便无法使用备份',
)
const WITH_KEY = words('  Key      in it', '  密钥    在其中')

function report(saved: SavedBackup, print: Parameters<typeof colorizeTexts>[0]) {
  const { ledger, tables, file, has_key } = saved
  return concatTexts([
    colorizeTexts(print, fillTemplate(MADE, { file: asData(file) }), 'good'),
    ...(ledger ? [fillTemplate(CHECKED, { came: cameOver({ tables, ledger }) })] : []),
    has_key ? WITH_KEY : WITHOUT_KEY,
  ])
}

export const restore = command({
  name: 'restore',
  here: true,
  output: { view: restoredView, many: false },
  summary: words('Put a backup back, where no database is yet', '将备份恢复到尚无数据库的位置'),
  details: words(
    'Into the data folder (--data), or an empty PostgreSQL database (--database). A backup of an earlier version is brought to this one; that of a later one is refused. The master secret comes from the backup, from weir.key in the data folder, or from WEIR_SECRET. The database gets its place as the last thing: whatever ends it, nobody serves half of one, and the same command finishes.',
    '恢复到数据目录（--data）或空的 PostgreSQL 数据库（--database）。较早版本的备份会升级到当前版本；较新版本的备份会被拒绝。主密钥取自备份、数据目录中的 weir.key 或 WEIR_SECRET。数据库最后才就位：无论因何中断，都不会有人使用半份数据，再次运行同一命令即可完成。',
  ),
  arguments: { file: { spec: '<file>', help: words('the backup', '备份文件') } },
  options: {
    ...passphraseOptions,
    identityFile: {
      flag: '--identity-file <file>',
      help: words('the secret key of age that it was encrypted for', '加密所对应的 age 私钥文件'),
    },
  },
  async run(context) {
    const { args, ask, config, options, print, server } = context
    refuseServer('restore', server)
    await refuseRunning(context)
    const { isSealed, restoreBackup } = await import('../../core/adapters/node.ts')
    const sealed = await isSealed(args.file).catch((error: NodeJS.ErrnoException) => {
      throw new Refusal(
        fillTemplate(NO_FILE, { file: asData(args.file), why: asData(error.code ?? '') }),
        'file.unreadable',
      )
    })
    const identity = await identityOf(options.identityFile)
    const withPassphrase = {
      ...options,
      passphrase: sealed && identity === undefined && (options.passphrase || ask.possible),
    }
    const passphrase = sealed ? await readPassphrase(context, withPassphrase, { isNew: false }) : undefined
    const restored = await withProgress(context, (report) =>
      restoreBackup(config, args.file, { passphrase, identity }, (step, what, done, total) =>
        report({ step: STEPS[step], what, done, total }),
      ),
    )
    await print.done(restored, restoredView, {
      human: concatTexts([
        colorizeTexts(
          print,
          fillTemplate(RESTORED, { place: asData(restored.place), at: asData(timeText(restored.backup.made_at)) }),
          'good',
        ),
        fillTemplate(CHECKED, { came: cameOver(restored) }),
      ]),
      bare: restored.place,
    })
    if (!restored.ledger.ok) throw new Refusal(LEDGER_WRONG, 'ledger.wrong')
  },
})

const RESTORED = words('Restored to {place}, as of {at}.', '已恢复到 {place}，数据截至 {at}。')
const NO_FILE = words('{file} cannot be read ({why}).', '无法读取 {file}（{why}）。')
