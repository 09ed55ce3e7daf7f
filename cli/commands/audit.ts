// `weir audit …`: the log of changes and their authors.
import { command, group, LIST_COMMAND } from '../command.ts'
import { parseMomentFlag } from '../input/flags.ts'
import { auditView } from '../nouns/audit-row.ts'
import { words } from '../texts.ts'
import { needUserId } from '../nouns/user.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../output/paging.ts'

const DEFAULT_LIMIT = 50

const list = command({
  endpoint: 'audit.list',
  ...LIST_COMMAND,
  output: { view: auditView, many: true },
  summary: words('List what people changed, newest first, with before and after'),
  options: {
    since: {
      flag: '--since <when>',
      help: words('start: a span like 2h or 7d, or a date'),
    },
    until: { flag: '--until <when>', help: words('end: a span like 2h or 7d, or a date') },
    user: {
      flag: '--user <user>',
      help: words('only what this user did: id or username'),
    },
    action: {
      flag: '--action <name>',
      help: words('only this, such as setting.change or user.disable'),
    },
    target: { flag: '--target <name>', help: words('only of this: a setting, or an id') },
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const { since, until, user, action = '', target = '' } = options
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const filter = {
      action,
      target,
      ...(since === undefined ? {} : { start_timestamp: parseMomentFlag('--since', since, -1) }),
      ...(until === undefined ? {} : { end_timestamp: parseMomentFlag('--until', until, -1) }),
    }
    const weir = await client()
    const who = user === undefined ? {} : { user_id: await needUserId(weir, user) }
    const fetch = async (query: PageQuery) => weir.audit.list({ ...filter, ...who, ...query })
    await printRequestedRows(print, range, fetch, auditView, { empty: words('Nothing was changed.') })
  },
})

export const auditCommand = group({
  name: 'audit',
  summary: words('Audit log of changes'),
  commands: [list],
})
