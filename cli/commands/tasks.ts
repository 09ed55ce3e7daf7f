// `weir tasks …`: asynchronous tasks of providers, such as drawings and music.
import { fillTemplate, type Words } from '../../core/errors.ts'
import type { TaskAdminAction } from '../../core/tasks/task-ends.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { requireRole } from '../connection/own-endpoints.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { parseMomentFlag, parsePositiveNumber } from '../input/flags.ts'
import { findRequiredChannel } from '../nouns/channel.ts'
import { words } from '../texts.ts'
import { needUserId } from '../nouns/user.ts'
import { findRequiredTask, listVisibleTasks, listedTaskView } from '../nouns/task.ts'

const DEFAULT_LIMIT = 50

const list = command({
  endpoint: 'tasks.list',
  ...LIST_COMMAND,
  output: { view: listedTaskView, many: true },
  summary: words('List drawings and other tasks, newest first: administrators see all, others their own'),
  options: {
    own: { flag: '--mine', help: words('only your own tasks') },
    platform: {
      flag: '--platform <name>',
      help: words('only of this platform, such as suno or midjourney'),
    },
    action: {
      flag: '--action <name>',
      help: words('only of this kind, such as IMAGINE or MUSIC'),
    },
    status: {
      flag: '--status <name>',
      help: words('only in this state, such as SUCCESS or FAILURE'),
    },
    model: { flag: '--model <name>', help: words('only of this model') },
    user: { flag: '--user <user>', help: words('only of this user, by id or name') },
    channel: { flag: '--channel <channel>', help: words('only this channel, by id or name') },
    since: {
      flag: '--since <when>',
      help: words('start: a span like 2h or 7d, or a date'),
    },
    until: { flag: '--until <when>', help: words('end: a span like 2h or 7d, or a date') },
    limit: {
      flag: '--limit <number>',
      help: fillTemplate(words('how many (default: {defaultLimit}; all with --json, --jq, --csv and --quiet)'), {
        defaultLimit: DEFAULT_LIMIT,
      }),
    },
  },
  async run({ client, print, options }) {
    const size = options.limit === undefined ? DEFAULT_LIMIT : parsePositiveNumber('--limit', options.limit)
    const limit = options.limit === undefined && print.form !== 'human' ? Infinity : size
    const { own = false, channel, user, limit: _, since, until, ...filter } = options
    const taskFilter = {
      ...filter,
      own,
      // One more shows whether there are others.
      limit: limit + 1,
      ...(since === undefined ? {} : { since: parseMomentFlag('--since', since, -1) }),
      ...(until === undefined ? {} : { until: parseMomentFlag('--until', until, -1) }),
    }
    const weir = await client()
    const of = {
      ...(channel === undefined ? {} : { channel_id: (await findRequiredChannel(weir, channel)).id }),
      ...(user === undefined ? {} : { user_id: await needUserId(weir, user) }),
    }
    const tasks = await listVisibleTasks(weir, { ...taskFilter, ...of })
    await print.list(tasks.slice(0, limit), listedTaskView, { empty: words('No tasks.') })
    if (tasks.length > limit)
      print.warn(fillTemplate(words('The newest {limit} are shown; --limit shows more.'), { limit }))
  },
})

const show = command({
  endpoint: 'tasks.list',
  name: 'show',
  readOnly: true,
  output: { view: listedTaskView, many: false },
  summary: words('Show a task, with its prompt or why it failed'),
  arguments: { task: { spec: '<task>', help: words('id of the task') } },
  async run({ client, print, args }) {
    const found = await findRequiredTask(await client(), args.task)
    await print.one(found, listedTaskView, { quietOutput: found.id })
  },
})

/** Builds a command that asks, acts, and shows the task's state afterwards. */
const createTaskCommand = (
  action: TaskAdminAction,
  { summary, what, question }: Record<'summary' | 'what' | 'question', Words>,
) =>
  command({
    endpoint: 'tasks.manage',
    name: action,
    output: { view: listedTaskView, many: false },
    summary,
    arguments: { task: { spec: '<task>', help: words('id of the task') } },
    options: { yes: { flag: '--yes', help: words('do not ask') } },
    async run({ client, print, ask, args, options }) {
      const sure = requireConfirmation(ask, options.yes, what)
      const weir = await client()
      await requireRole(weir, 'admin')
      const found = await findRequiredTask(weir, args.task)
      await sure(fillTemplate(question, { id: found.id }))
      const after = await weir.tasks.manage({ id: found.number, action })
      await print.one({ ...found, ...after }, listedTaskView, { quietOutput: found.id })
    },
  })

const cancel = createTaskCommand('cancel', {
  summary: words('Cancel an open task and refund it'),
  what: words('cancel a task'),
  question: words('Cancel {id}?'),
})

const retry = createTaskCommand('retry', {
  summary: words('Submit a finished task again: its user and token pay for the new one'),
  what: words('submit a task again'),
  question: words('Submit {id} again? Its user pays again.'),
})

const refund = createTaskCommand('refund', {
  summary: words('Refund a finished task'),
  what: words('refund a task'),
  question: words('Refund {id}?'),
})

export const tasksCommand = group({
  name: 'tasks',
  summary: words('Drawings and other tasks of providers'),
  commands: [list, show, cancel, retry, refund],
})
