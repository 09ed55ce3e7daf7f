// `weir tasks …`: asynchronous tasks of providers, such as drawings and music.
import { fillTemplate, words, type Words } from '../../core/errors.ts'
import type { TaskAct } from '../../core/tasks/task-ends.ts'
import { command, group } from '../command.ts'
import { requireConfirmation } from '../confirm.ts'
import { moment, wholeNumber } from '../flags.ts'
import { needChannel } from '../nouns/channel.ts'
import { needUserId } from '../nouns/user.ts'
import { needTask, tasksFor, taskView } from '../nouns/task.ts'

const DEFAULT_LIMIT = 50

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: taskView, many: true },
  summary: words(
    "List drawings and other tasks, newest first: everybody's for administrators, otherwise one's own",
    '列出绘图与其他任务，最新的在前：管理员可见全部，其他用户仅见自己的',
  ),
  options: {
    mine: { flag: '--mine', help: words("only one's own", '仅自己的任务') },
    platform: {
      flag: '--platform <name>',
      help: words('only of this platform, such as suno or midjourney', '仅此平台，如 suno 或 midjourney'),
    },
    action: {
      flag: '--action <name>',
      help: words('only of this kind, such as IMAGINE or MUSIC', '仅此类操作，如 IMAGINE 或 MUSIC'),
    },
    status: {
      flag: '--status <name>',
      help: words('only in this state, such as SUCCESS or FAILURE', '仅此状态，如 SUCCESS 或 FAILURE'),
    },
    model: { flag: '--model <name>', help: words('only of this model', '仅此模型') },
    user: { flag: '--user <user>', help: words('only of this user, by id or name', '仅此用户（编号或用户名）') },
    channel: { flag: '--channel <channel>', help: words('only this channel, by id or name', '仅此渠道（编号或名称）') },
    since: {
      flag: '--since <when>',
      help: words('from then on: a span like 2h or 7d, or a date', '从此时起：时间段（如 2h、7d）或日期'),
    },
    until: { flag: '--until <when>', help: words('up to then', '到此时为止') },
    limit: {
      flag: '--limit <number>',
      help: words(`how many (otherwise ${DEFAULT_LIMIT})`, `数量（默认 ${DEFAULT_LIMIT}）`),
    },
  },
  async run({ client, print, options }) {
    const { mine = false, channel, user, limit, since, until, ...filter } = options
    const taskFilter = {
      ...filter,
      own: mine,
      limit: wholeNumber('--limit', limit ?? String(DEFAULT_LIMIT)),
      ...(since === undefined ? {} : { since: moment('--since', since, -1) }),
      ...(until === undefined ? {} : { until: moment('--until', until, -1) }),
    }
    const weir = await client()
    const of = {
      ...(channel === undefined ? {} : { channel_id: (await needChannel(weir, channel)).id }),
      ...(user === undefined ? {} : { user_id: await needUserId(weir, user) }),
    }
    await print.list(await tasksFor(weir, { ...taskFilter, ...of }), taskView, {
      empty: words('No tasks.', '没有任务。'),
    })
  },
})

const show = command({
  name: 'show',
  readOnly: true,
  output: { view: taskView, many: false },
  summary: words('One task, with its prompt or why it failed', '查看一个任务及其提示词或失败原因'),
  arguments: { task: { spec: '<task>', help: words('id of the task', '任务编号') } },
  async run({ client, print, args }) {
    const found = await needTask(await client(), args.task)
    await print.one(found, taskView, { bare: found.id })
  },
})

/** Builds a command that asks, acts, and shows the task's state afterwards. */
const createTaskCommand = (
  action: TaskAct,
  { summary, what, question }: Record<'summary' | 'what' | 'question', Words>,
) =>
  command({
    name: action,
    output: { view: taskView, many: false },
    summary,
    arguments: { task: { spec: '<task>', help: words('id of the task', '任务编号') } },
    options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
    async run({ client, print, ask, args, options }) {
      const sure = requireConfirmation(ask, options.yes, what)
      const weir = await client()
      const found = await needTask(weir, args.task)
      await sure(fillTemplate(question, { id: found.id }))
      const after = await weir.tasks.manage({ id: found.number, action })
      await print.one({ ...found, ...after }, taskView, { bare: found.id })
    },
  })

const cancel = createTaskCommand('cancel', {
  summary: words('End an open task and give back what it cost', '取消未完成的任务并退还其费用'),
  what: words('cancel a task', '取消任务'),
  question: words('Cancel {id}?', '取消 {id}？'),
})

const retry = createTaskCommand('retry', {
  summary: words(
    'Submit again what was submitted for a task that is over: its user and token pay for a new one',
    '将已结束任务的提交重新提交：由原用户与令牌为新任务付费',
  ),
  what: words('submit a task again', '重新提交任务'),
  question: words('Submit {id} again? Its user pays again.', '重新提交 {id}？其用户将重新付费。'),
})

const refund = createTaskCommand('refund', {
  summary: words('Give back what a task that is over cost', '退还已结束任务的费用'),
  what: words('refund a task', '退还费用'),
  question: words('Give back what {id} cost?', '退还 {id} 的费用？'),
})

export const tasks = group({
  name: 'tasks',
  summary: words('Drawings and other tasks of providers', '绘图与服务商的其他任务'),
  commands: [list, show, cancel, retry, refund],
})
